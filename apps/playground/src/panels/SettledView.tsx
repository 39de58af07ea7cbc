import { useSignal } from '@interleave/react'
import { CirclePause, FileInput } from 'lucide-react'
import { labelOf } from '../models/index.ts'
import type { SettledMessage } from '../run/messages.ts'
import { type Conversation, shownMove } from '../run/PlaygroundState.ts'
import { useEvents, usePage, useShown } from '../run/usePlayground.ts'
import { FailedView } from './FailedView.tsx'

/** Shows why the run has paused or finished, if that needs words, and the ways to continue. */
export function SettledView({ signal }: { signal: SettledMessage['signal'] }) {
  const conversation = useShown()
  return conversation && <Rest signal={signal} conversation={conversation} />
}

interface SettledProps {
  readonly signal: SettledMessage['signal']
  readonly conversation: Conversation
}

/** Offers to continue the run from its current signal, unless the past is shown or the run moves. */
function Rest({ signal, conversation }: SettledProps) {
  const { run, past } = conversation
  const last = useEvents(conversation).findLast(({ type }) => type === 'settled')
  const isSettled = useSignal(run) !== undefined
  const isMoving = usePage((page) => shownMove(page) !== undefined)
  const isNow = !past && !isMoving && isSettled && last?.type === 'settled' && last.signal === signal
  if (signal.type === 'failed') return <FailedView failure={signal.error} conversation={conversation} isNow={isNow} />
  if (signal.cause === 'imported') return <Imported conversation={conversation} isNow={isNow} />
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

/** Shows that the run came from a file: nothing of it runs before the user continues it. */
function Imported({ conversation: { run, connection }, isNow }: { conversation: Conversation; isNow: boolean }) {
  return (
    <div className="stopped" data-cause="imported">
      <FileInput aria-hidden />
      <p>
        {isNow ? 'Opened from a file. Continue here?' : 'Opened from a file.'}
        {isNow && (
          <small>
            Nothing runs until you do. It continues with {labelOf(connection)}, and everything that is still open is
            asked again, whatever the file says.
          </small>
        )}
      </p>
      {isNow && (
        <button type="button" className="button" onClick={() => run.resume()}>
          Continue
        </button>
      )}
    </div>
  )
}
