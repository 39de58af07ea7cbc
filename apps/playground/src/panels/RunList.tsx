import { useStatus } from '@interleave/react'
import { Plus } from 'lucide-react'
import type { Conversation } from '../run/playground.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { stateWord } from './stateWord.ts'
import './runList.css'

/** The runs of this page. Looking at another one does not stop any. */
export function RunList() {
  const { show } = usePlayground()
  const conversations = usePage((page) => page.conversations)
  const shown = usePage((page) => page.shown)

  return (
    <nav className="pane runs" aria-label="Runs" data-pane="runs">
      <button type="button" className="new-run" aria-current={shown === undefined} onClick={() => show(undefined)}>
        <Plus aria-hidden /> New run
      </button>
      {conversations.length === 0 && (
        <p className="runs-none">Runs stay in this page while it is open. Several can work at once.</p>
      )}
      <ul>
        {conversations.map((conversation) => (
          <li key={conversation.run.id}>
            <RunLink conversation={conversation} isShown={conversation.run.id === shown} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

function RunLink({ conversation, isShown }: { conversation: Conversation; isShown: boolean }) {
  const { show } = usePlayground()
  const { run, title, offer, file } = conversation
  const word = stateWord(useStatus(run))
  return (
    <button type="button" className="run-link" aria-current={isShown} onClick={() => show(run.id)}>
      <span className="run-title">{title}</span>
      <span className="run-state" data-state={word}>
        {offer.title}
        {file === offer.file ? '' : ' (edited)'} · {word}
      </span>
    </button>
  )
}
