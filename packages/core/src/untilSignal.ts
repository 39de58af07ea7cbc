import { AgentError } from './error.ts'
import type { RunContext } from './run.ts'
import type { Signal } from './signal.ts'

/** The whole loop: the backend is passed again and again, until it signals. */
export async function untilSignal(run: RunContext, onPass: () => void): Promise<Signal> {
  for (;;) {
    onPass()
    const before = run.state.seq
    let signal: Signal | undefined
    try {
      signal = await run.agent.backend(run)
    } catch (error) {
      // What a step throws because the run is stopped is no failure of the step.
      if (!run.abortSignal.aborted) throw error
    }
    if (run.abortSignal.aborted) return { type: 'stopped', reason: (run.abortSignal.reason as AgentError).message }
    if (signal) return checked(signal, run)
    if (run.state.seq === before) throw stalled(run)
  }
}

/** A signal that no log could be read with again. A step may have taken it from notes of a damaged log. */
function checked(signal: Signal, { journal }: RunContext): Signal {
  const wrong = journal ? journal.engine.misfitOf(signal) : misfitOf(signal)
  if (wrong === undefined) return signal
  throw new AgentError('state_invalid', `A step gave a signal with a wrong or missing "${wrong}".`)
}

/** The path to what the run itself would stumble over. */
function misfitOf(signal: Signal): string | undefined {
  switch (signal.type) {
    case 'answer':
    case 'stopped':
      return typeof signal.reason === 'string' ? undefined : 'reason'
    case 'failed':
      return typeof signal.error?.message === 'string' ? undefined : 'error'
    case 'inputNeeded':
      return signal.asks?.[0] ? undefined : 'asks'
    case 'limitReached':
      return typeof signal.ask?.id === 'string' ? undefined : 'ask'
    default:
      return 'type'
  }
}

const stalled = ({ agent: { name } }: RunContext): AgentError =>
  new AgentError(
    'stalled',
    `A pass of the agent "${name}" did nothing and gave no signal. Its backend needs a step that thinks, acts or stops here.`,
  )
