import type { RunState, Signal } from '@interleave/core'
import { openCalls } from '@interleave/core/steps'
import { useRun, useStatus, useUsage } from '@interleave/react'
import { count, counted, toolWords } from '../parts/wording.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { usePage } from '../run/usePlayground.ts'
import { isServed } from '../workers/Place.ts'

/** The status of the run, in a line. The outlet of its questions says to screen readers what happens. */
export function StatusLine({ conversation }: { conversation: Conversation | undefined }) {
  const run = conversation?.run
  const { status, signal } = useStatus(run)
  const isGraph = conversation?.graph !== undefined
  const doing = useRun(run, isGraph ? workOnGraph : work)
  const { total, iterations } = useUsage(run)
  const isStarting = usePage((page) => page.isStarting)
  const words = signal ? signalWords(signal) : status === 'working' ? doing : isStarting ? 'Starting …' : ''

  return (
    <div className="status-line" data-status={status}>
      <span>{conversation?.past && words ? `At this point: ${words}` : words}</span>
      {run && (
        <span>
          {counted(iterations.length, 'turn')} · {count(total.inputTokens + total.outputTokens)} tokens
          {conversation?.connection.type === 'demo' && !isServed(conversation.place) && ' (estimated)'}
        </span>
      )}
    </div>
  )
}

function work(state: RunState): string {
  const calls = openCalls(state)
  if (calls.length === 0) return `Thinking, turn ${state.iteration + 1}`
  return `${calls.map(({ name }) => toolWords(name)).join(', ')} …`
}

/** Most nodes of a graph ask no model. Which one is at work is in the graph. */
const workOnGraph = (state: RunState): string =>
  state.draft || openCalls(state).length > 0 ? work(state) : 'Following its graph'

function signalWords(signal: Signal): string {
  switch (signal.type) {
    case 'answer':
      return 'Done'
    case 'inputNeeded':
      return 'Waiting for you'
    case 'limitReached':
      return 'A limit is reached: continue?'
    case 'failed':
      return 'Failed'
    case 'stopped':
      return signal.cause === 'imported' ? 'Opened from a file' : 'Stopped'
  }
}
