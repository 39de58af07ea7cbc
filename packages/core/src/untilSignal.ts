import { AgentError } from './error.ts'
import type { RunContext } from './run.ts'
import type { Signal } from './signal.ts'

/** The whole loop: the backend is passed again and again, until it signals. */
export async function untilSignal(run: RunContext): Promise<Signal> {
  for (;;) {
    const before = run.state.seq
    const signal = await pass(run)
    if (run.abortSignal.aborted) return { type: 'stopped', reason: (run.abortSignal.reason as AgentError).message }
    if (signal) return signal
    if (run.state.seq === before) throw stalled(run)
  }
}

/** What a step throws because the run is stopped is no failure of the step. */
async function pass(run: RunContext): Promise<Signal | undefined> {
  try {
    return await run.agent.backend(run)
  } catch (error) {
    if (run.abortSignal.aborted) return undefined
    throw error
  }
}

const stalled = ({ agent: { name } }: RunContext): AgentError =>
  new AgentError(
    'stalled',
    `A pass of the agent "${name}" did nothing and gave no signal. Its backend needs a step that thinks, acts or stops here.`,
  )
