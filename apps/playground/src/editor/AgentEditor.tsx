import { configSchema, type Problem } from '@interleave/config'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { type FormEvent, type Ref, useId, useLayoutEffect, useRef, useState } from 'react'
import type { Offer } from '../agents/index.ts'
import { toolRegistry } from '../agents/toolRegistry.ts'
import { toolLink } from '../bench/toolLink.ts'
import { sectionLink } from '../docs/sectionLink.ts'
import { demoPlanner } from '../models/demoPlanner/demoPlanner.ts'
import { counted } from '../parts/wording.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { type EditorView, editorViews } from '../shell/Settings.ts'
import { AgentFields } from './AgentFields.tsx'
import { readAgent } from './agentForm.ts'
import { FileButtons } from './FileButtons.tsx'
import { type KnownName, knownNames } from './knownNames.ts'
import { useJsonView } from './useJsonView.ts'
import { rangeOfLine, useProblems } from './useProblems.ts'
import './agentEditor.css'

/**
 * Edits an agent, as a form or as its file. The file is checked while the user types, and stored even if it is invalid.
 */
export function AgentEditor({ offer, onDone }: { offer: Offer; onDone: () => void }) {
  const { write, use, chooseOffer, choose } = usePlayground()
  const text = usePage(({ edits }) => edits[offer.id]?.draft ?? offer.file)
  const chosen = usePage(({ settings }) => settings.editorView)
  const json = useJsonView(text, (file) => write(offer, file))
  const { problems, checkNow } = useProblems(chosen === 'json' ? json.text : text)
  const [goal, setGoal] = useState<Problem>()
  const area = useRef<HTMLTextAreaElement>(null)
  const summary = useId()
  const agent = readAgent(text)
  // A file that cannot be read has no form.
  const view: EditorView = chosen === 'form' && !agent ? 'yaml' : chosen

  useLayoutEffect(() => {
    // A dialog that opens looks for the attribute; in one that is open already the focus has to be set.
    area.current?.toggleAttribute('autofocus', true)
    area.current?.focus()
    area.current?.setSelectionRange(0, 0)
  }, [])
  useLayoutEffect(() => {
    if (goal && area.current) selectLine(area.current, goal.line ?? 1)
  }, [goal])

  const goTo = (problem: Problem): void => {
    if (view === 'form') choose({ editorView: 'yaml' })
    setGoal({ ...problem })
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const [first] = checkNow()
    if (first) {
      goTo(first)
      return
    }
    use(offer, text)
    chooseOffer(offer)
    onDone()
  }

  return (
    <form className="agent-editor" onSubmit={submit}>
      <div className="editor-head">
        <EditorViews view={view} onView={(next) => choose({ editorView: next })} />
        <a href={toolLink({ agent: offer.id })} onClick={onDone}>
          Test its tools
        </a>
      </div>
      {view === 'form' && agent ? (
        <AgentFields text={text} agent={agent} problems={problems} onWrite={(file) => write(offer, file)} />
      ) : (
        <FileText
          handle={area}
          label={view === 'json' ? 'The agent as JSON' : 'The agent as YAML'}
          text={view === 'json' ? json.text : text}
          problems={problems}
          describedBy={summary}
          onWrite={(file) => (view === 'json' ? json.write(file) : write(offer, file))}
        />
      )}
      <ProblemList id={summary} problems={problems} onGo={goTo} />
      {view !== 'form' && <NamesList />}
      <p className="editor-note">
        New runs use this agent once you choose “Use for new runs”. Runs that have started keep theirs. Your text is
        stored until you come back.
      </p>
      <footer className="dialog-foot">
        <FileButtons offer={offer} text={text} />
        <button type="submit" className="button primary">
          Use for new runs
        </button>
      </footer>
    </form>
  )
}

/** Selects a line of a text area, and scrolls to it, which browsers do not do by themselves. */
function selectLine(area: HTMLTextAreaElement, line: number): void {
  area.focus()
  area.setSelectionRange(...rangeOfLine(area.value, line))
  const height = Number.parseFloat(getComputedStyle(area).lineHeight)
  area.scrollTop = Math.max(0, (line - 0.5) * height - area.clientHeight / 2)
}

interface EditorViewsProps {
  readonly view: EditorView
  readonly onView: (view: EditorView) => void
}

const titles: Readonly<Record<EditorView, string>> = { form: 'Form', yaml: 'YAML', json: 'JSON' }

/** The views of an agent's file. */
const EditorViews = ({ view, onView }: EditorViewsProps) => (
  <fieldset className="editor-views">
    <legend className="visually-hidden">Shown as</legend>
    {editorViews.map((each) => (
      <label key={each} data-chosen={each === view}>
        <input type="radio" name="view" checked={each === view} onChange={() => onView(each)} />
        {titles[each]}
      </label>
    ))}
  </fieldset>
)

interface FileTextProps {
  readonly handle: Ref<HTMLTextAreaElement>
  readonly label: string
  readonly text: string
  readonly problems: readonly Problem[]
  readonly describedBy: string
  readonly onWrite: (text: string) => void
}

function FileText({ handle, label, text, problems, describedBy, onWrite }: FileTextProps) {
  const field = useId()
  return (
    <>
      <label htmlFor={field}>{label}</label>
      <textarea
        ref={handle}
        id={field}
        className="file-text"
        value={text}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        aria-invalid={problems.length > 0}
        aria-describedby={describedBy}
        onChange={({ target }) => onWrite(target.value)}
      />
    </>
  )
}

interface ProblemListProps {
  readonly id: string
  readonly problems: readonly Problem[]
  readonly onGo: (problem: Problem) => void
}

/** The problems of a file. Each one links to its line. */
function ProblemList({ id, problems, onGo }: ProblemListProps) {
  const isGood = problems.length === 0
  return (
    <div className="problems" data-good={isGood}>
      <p id={id} role="status">
        {isGood ? <CircleCheck aria-hidden /> : <CircleAlert aria-hidden />}
        {isGood ? 'No mistakes' : counted(problems.length, 'mistake')}
      </p>
      {!isGood && (
        <ul aria-label="Mistakes">
          {problems.map((problem) => (
            <li key={`${problem.line} ${problem.column} ${problem.path} ${problem.message}`}>
              <button type="button" onClick={() => onGo(problem)}>
                {problem.line !== undefined && <strong>Line {problem.line}</strong>} <code>{problem.path}</code>
              </button>
              <p>{problem.message}</p>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** The names that an agent's file may use. */
const NamesList = () => (
  <details className="names">
    <summary>Names to use</summary>
    <p>
      A name stands for a call. The lines below it are its options.{' '}
      <a href={sectionLink('docs/declared-agents.md#how-it-is-written')}>How it is written</a>
    </p>
    <dl>
      {kinds.map(({ title, names }) => (
        <div key={title}>
          <dt>{title}</dt>
          {names.map((known) => (
            <dd key={known.name}>
              <Name known={known} />
            </dd>
          ))}
        </div>
      ))}
    </dl>
  </details>
)

// The page's names do not change while it is open, and are the same with any model.
const kinds = knownNames(configSchema(toolRegistry({ model: demoPlanner() })))

const Name = ({ known: { name, options } }: { known: KnownName }) => (
  <>
    <code>{name}</code> {options.length > 0 && <small>{options.join(', ')}</small>}
  </>
)
