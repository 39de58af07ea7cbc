import { useOwner, useStatus } from '@interleave/react'
import { AppWindow, History, X } from 'lucide-react'
import { useStore } from 'zustand'
import { own } from '../parts/objects.ts'
import type { Found } from '../run/finder.ts'
import { foundWords } from '../run/found.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { useEvents, usePage, usePlayground } from '../run/usePlayground.ts'
import './foundNotice.css'

/** Shows a returning user the host of a run, if it is another one, and what the run was doing when it was found. */
export function FoundNotice({ conversation }: { conversation: Conversation }) {
  const { run, finder } = conversation
  const { status } = useStatus(run)
  const isElsewhere = useOwner(run) === 'elsewhere'
  const found = useStore(finder.found)
  const killedAt = usePage(({ marks }) => own(marks, run.id)?.kill?.seq)
  if (isElsewhere) return status === 'settled' ? null : <Elsewhere />
  // The result of a kill is shown only once.
  return found && found.events.at(-1)?.seq !== killedAt && <Here conversation={conversation} found={found} />
}

const Elsewhere = () => (
  <div className="found-notice">
    <AppWindow aria-hidden />
    <p role="status">This run works in another tab. You can answer and stop it here.</p>
  </div>
)

function Here({ conversation, found }: { conversation: Conversation; found: Found }) {
  const { dismiss } = usePlayground()
  const isDismissed = usePage(({ dismissed }) => dismissed.includes(found))
  const events = useEvents(conversation)
  const words = foundWords(found, events)
  const isOver = events.slice(found.events.length).some(({ type }) => type === 'said')
  if (isDismissed || isOver || words === undefined) return null
  return (
    <div className="found-notice">
      <History aria-hidden />
      <p role="status">{words}</p>
      <button type="button" className="icon-button" aria-label="Close the notice" onClick={() => dismiss(found)}>
        <X aria-hidden />
      </button>
    </div>
  )
}
