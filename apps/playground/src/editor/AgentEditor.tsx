import type { Problem } from '@interleave/core/config'
import { type FormEvent, useId, useLayoutEffect, useRef } from 'react'
import type { Offer } from '../agents/index.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { FileButtons } from './FileButtons.tsx'
import { NamesList } from './NamesList.tsx'
import { ProblemList } from './ProblemList.tsx'
import { selectLine } from './selectLine.ts'
import { useProblems } from './useProblems.ts'
import './agentEditor.css'

/** The file of an agent to write in. It is checked while one writes, and kept whatever is wrong with it. */
export function AgentEditor({ offer, onDone }: { offer: Offer; onDone: () => void }) {
  const { write, use, chooseOffer } = usePlayground()
  const text = usePage(({ edits }) => edits[offer.id]?.draft ?? offer.file)
  const { problems, checkNow } = useProblems(text)
  const area = useRef<HTMLTextAreaElement>(null)
  const [field, summary] = [useId(), useId()]

  useLayoutEffect(() => {
    // A dialog that opens looks for the attribute; in one that is open already the focus has to be set.
    area.current?.toggleAttribute('autofocus', true)
    area.current?.focus()
    area.current?.setSelectionRange(0, 0)
  }, [])

  const goTo = ({ line = 1 }: Problem): void => {
    if (area.current) selectLine(area.current, line)
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
      <label htmlFor={field}>The agent as YAML</label>
      <textarea
        ref={area}
        id={field}
        value={text}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        aria-invalid={problems.length > 0}
        aria-describedby={summary}
        onChange={({ target }) => write(offer, target.value)}
      />
      <ProblemList id={summary} problems={problems} onGo={goTo} />
      <NamesList />
      <p className="editor-note">New runs are started with what you use here. Those under way keep theirs.</p>
      <footer>
        <FileButtons offer={offer} text={text} />
        <button type="submit" className="button primary">
          Use it
        </button>
      </footer>
    </form>
  )
}
