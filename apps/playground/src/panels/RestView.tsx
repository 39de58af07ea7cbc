import { useSignal } from '@interleave/react'
import { CirclePause } from 'lucide-react'
import type { RestMessage } from '../run/messages.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { useEvents, useShown } from '../run/usePlayground.ts'
import { FailedView } from './FailedView.tsx'

/** Why the run rested, where that needs words, and the ways to go on. */
export function RestView({ signal }: { signal: RestMessage['signal'] }) {
  const conversation = useShown()
  return conversation && <Rest signal={signal} conversation={conversation} />
}

interface RestProps {
  readonly signal: RestMessage['signal']
  readonly conversation: Conversation
}

/** Only the rest that the run is in now can be left, and the past cannot be left at all. */
function Rest({ signal, conversation }: RestProps) {
  const { run, past } = conversation
  const last = useEvents(conversation).findLast(({ type }) => type === 'rested')
  const rests = useSignal(run) !== undefined
  const isNow = !past && rests && last?.type === 'rested' && last.signal === signal
  if (signal.type === 'failed') return <FailedView failure={signal.error} conversation={conversation} isNow={isNow} />
  return (
    <div className="stopped">
      <CirclePause aria-hidden />
      <p>
        {signal.reason}
        {isNow && <small>What was done is kept. Resume it where it was, or say what to do instead.</small>}
      </p>
      {isNow && (
        <button type="button" className="button" onClick={() => run.resume()}>
          Resume
        </button>
      )}
    </div>
  )
}
