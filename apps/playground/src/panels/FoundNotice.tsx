import { History, X } from 'lucide-react'
import { foundWords } from '../run/found.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { useEvents, usePage, usePlayground } from '../run/usePlayground.ts'
import './foundNotice.css'

/** What a run was doing when it was found, for who comes back to it. */
export function FoundNotice({ conversation }: { conversation: Conversation }) {
  const { dismiss } = usePlayground()
  const isDismissed = usePage(({ dismissed }) => dismissed.includes(conversation))
  const { found } = conversation
  const events = useEvents(conversation)
  const words = foundWords(found, events)
  const isOver = events.slice(found.length).some(({ type }) => type === 'said')
  if (isDismissed || isOver || words === undefined) return null
  return (
    <div className="found-notice">
      <History aria-hidden />
      <p role="status">{words}</p>
      <button type="button" className="icon-button" aria-label="Close the notice" onClick={() => dismiss(conversation)}>
        <X aria-hidden />
      </button>
    </div>
  )
}
