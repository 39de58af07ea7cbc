import type { Run } from '@interleave/core'
import { checkEvents, checkRun, draftEvents, hideReasoning, shownRun } from '@interleave/core/internal'
import { type AnyEvent, eventsOf } from '@interleave/core/observe'
import type { AgUiEvent } from '../protocol.ts'
import { type AgUiOptions, AgUiWriter } from './agUiWriter.ts'

/**
 * Returns a stored run as AG-UI events, without the thoughts of an agent that does not expose them. Each stretch of work
 * is one AG-UI run of the same thread. The same log gives the same events.
 *
 * @example
 * const events = toAgUi(run.log)
 */
export function toAgUi(log: Iterable<AnyEvent>, options: AgUiOptions = {}): AgUiEvent[] {
  checkEvents(log, 'toAgUi()')
  const writer = new AgUiWriter(options)
  const written: AgUiEvent[] = []
  let hide: ((event: AnyEvent) => readonly AnyEvent[]) | undefined
  for (const event of log) {
    if (isHidden(event)) hide = hideReasoning({ mayCall: true })
    for (const shown of hide ? hide(event) : [event]) written.push(...writer.add(shown))
  }
  return written
}

const isHidden = (event: AnyEvent): boolean => event.type === 'started' && event.exposeReasoning === false

/**
 * Streams a run as AG-UI events: first the existing events, then live ones, with text, reasoning and tool inputs as
 * they arrive. Ends when the run settles, unless `follow` is set. Ending the loop does not stop the run.
 *
 * @example
 * for await (const event of agUiEvents(guide.start('Hello'))) send(event)
 */
export function agUiEvents(
  run: Run,
  options: AgUiOptions & { follow?: boolean } = {},
): AsyncGenerator<AgUiEvent, undefined> {
  checkRun(run, 'agUiEvents()')
  return eventsFrom(run, options)
}

async function* eventsFrom(
  run: Run,
  { follow = false, ...options }: AgUiOptions & { follow?: boolean },
): AsyncGenerator<AgUiEvent, undefined> {
  const { source, state, fault } = shownRun(run)
  const events = eventsOf(source, { follow: true })[Symbol.asyncIterator]()
  const writer = new AgUiWriter(options)
  const past = state.seq + (fault ? 1 : 0)
  // If reasoning is hidden, streaming text is held back, since it may be reasoning.
  const draft = fault || state.exposeReasoning === false ? [] : draftEvents(state.draft)
  try {
    for (let read = 0; read < past; read++) {
      const { done, value } = await events.next()
      if (done) return undefined
      yield* writer.add(value)
    }
    for (const event of draft) yield* writer.add(event)
    while (follow || !writer.isSettled) {
      const { done, value } = await events.next()
      if (done) return undefined
      yield* writer.add(value)
    }
  } finally {
    void events.return?.()
  }
  return undefined
}
