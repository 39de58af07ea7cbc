import type { Problem } from '@interleave/config'
import { type FormEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import type { Offer } from '../agents/index.ts'
import { toolLink } from '../bench/toolLink.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { AgentFields } from './AgentFields.tsx'
import { readAgent } from './agentForm.ts'
import type { EditorView } from './EditorView.ts'
import { EditorViews } from './EditorViews.tsx'
import { FileButtons } from './FileButtons.tsx'
import { FileText } from './FileText.tsx'
import { NamesList } from './NamesList.tsx'
import { ProblemList } from './ProblemList.tsx'
import { selectLine } from './selectLine.ts'
import { useJsonView } from './useJsonView.ts'
import { useProblems } from './useProblems.ts'
import './agentEditor.css'

/** An agent to change: as a form, or as its file. It is checked while one writes, and kept whatever is wrong with it. */
export function AgentEditor({ offer, onDone }: { offer: Offer; onDone: () => void }) {
  const { write, use, chooseOffer, choose } = usePlayground()
  const text = usePage(({ edits }) => edits[offer.id]?.draft ?? offer.file)
  const chosen = usePage(({ settings }) => settings.editorView)
  const json = useJsonView(text, (file) => write(offer, file))
  const { problems, checkNow } = useProblems(chosen === 'json' ? json.text : text)
  const [goal, aim] = useState<Problem>()
  const area = useRef<HTMLTextAreaElement>(null)
  const summary = useId()
  const agent = readAgent(text)
  // A file that cannot be read is no form.
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
    aim({ ...problem })
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
        New runs are started with what you use here. Those under way keep theirs. What you write is kept until you come
        back.
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
