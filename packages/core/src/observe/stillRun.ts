import { AgentError } from '../error.ts'
import type { AnyEvent, Event } from '../event.ts'
import { hideReasoning } from '../hideReasoning.ts'
import { withKeptEvents } from '../keptEvents.ts'
import type { EventsOptions, Run } from '../run.ts'
import type { Signal } from '../signal.ts'
import type { RunState } from '../state.ts'

/**
 * Returns a read-only run that shows a state without its log, for `messagesOf`, hooks and components. `say`, `reply`
 * and `stop` reject, and `resume` throws.
 */
export const stillRun = (state: RunState): Run => withKeptEvents(standing(state, []), [], state)

export const standing = (state: RunState, events: readonly Event[]): Run => ({
  id: state.runId,
  state,
  settled: state.rest ? Promise.resolve(state.rest) : new Promise<Signal>(() => {}),
  subscribe: () => () => {},
  observe: () => () => {},
  events: (options) => streamed(events, { ...options, isHidden: state.exposeReasoning === false }),
  say: refuse,
  reply: refuse,
  stop: refuse,
  resume() {
    throw isPast()
  },
})

const isPast = (): AgentError =>
  new AgentError(
    'options_invalid',
    'This run is shown as it was and cannot change. Continue from here with fork(agent, run).',
  )

async function refuse(): Promise<never> {
  throw isPast()
}

/** Nothing comes after the last of them, so it ends there for those too who follow. */
async function* streamed(
  events: readonly Event[],
  { from = 0, isHidden }: EventsOptions & { readonly isHidden: boolean },
): AsyncGenerator<AnyEvent> {
  const hide = hideReasoning({ mayCall: true })
  for (const event of events) if (event.seq >= from) yield* isHidden ? hide(event) : [event]
}
