import type { Conversation } from '../run/PlaygroundState.ts'
import { useEvents, usePage, usePlayground } from '../run/usePlayground.ts'
import { DiagnosisCard } from './DiagnosisCard.tsx'

/** The note that a link names an event which the run does not have. */
export function NoSuchEvent({ conversation }: { conversation: Conversation }) {
  const { show } = usePlayground()
  const events = useEvents(conversation.past?.live ?? conversation)
  const asked = usePage(({ travelledTo, selectedEvent }) => travelledTo ?? selectedEvent)
  if (asked === undefined || asked < events.length) return null
  const diagnosis = {
    title: `This run has no event ${asked}`,
    explanation: `Its log goes from event 0 to event ${events.length - 1}. The link may be of another run, or of a later time.`,
    steps: ['Look at the run as it is.', 'Or ask whoever gave you the link for the file of the run.'],
  }
  return (
    <div role="alert" className="no-such-event">
      <DiagnosisCard diagnosis={diagnosis}>
        <button type="button" className="button" onClick={() => void show(conversation.run.id)}>
          Show the run as it is
        </button>
      </DiagnosisCard>
    </div>
  )
}
