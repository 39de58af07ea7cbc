import { type Frame, heartbeat, writeFrame } from '@interleave/connect/internal'
import type { Ask, Event, Host, RunState } from '@interleave/core'
import { hideReasoning } from '@interleave/core/internal'
import { type AnyEvent, isKept, type LiveEvent } from '@interleave/core/observe'
import { withSafeErrors } from './problem.ts'
import type { AskedEvent } from './replyTokens.ts'
import type { RunNames } from './runNames.ts'
import type { RunSource, RunView } from './runSource.ts'

/** The events of a run for clients: all of them, or without the thoughts of an agent that hides them. */
interface ShownEvents {
  kept(events: readonly Event[]): readonly Event[]
  live(events: readonly LiveEvent[]): readonly LiveEvent[]
}

export function shownEvents({ exposeReasoning }: Pick<RunState, 'exposeReasoning'>): ShownEvents {
  if (exposeReasoning !== false) {
    return { kept: (events) => events.map(withSafeErrors), live: (events) => events.map(withSafeErrors) }
  }
  const hide = hideReasoning({ mayCall: true })
  return {
    kept: (events) =>
      events
        .map(withSafeErrors)
        .flatMap((event): readonly AnyEvent[] => hide(event))
        .filter(isKept),
    // Whether a text that streams is a thought or the answer shows itself only at its end.
    live: (events) => events.map(withSafeErrors).filter((event) => event.type !== 'delta' || event.kind === 'input'),
  }
}

/** A reader and its position. */
export interface Reader {
  /** The `seq` of the first event that it does not have. */
  readonly from: number
  /** When the event before that was, as it has it. */
  readonly at: number | undefined
  /** True if it continues when the run settles. */
  readonly follows: boolean
  /** Pending calls for this reader. */
  readonly calls: Frame[]
}

export interface TellOptions {
  readonly source: RunSource
  readonly host: Pick<Host, 'now'>
  readonly names: RunNames
  readonly heartbeatMs: number
  readonly sign: (event: AskedEvent) => Promise<string>
  /** Resolves when there may be more, and after so many milliseconds in any case. */
  readonly wait: (ms: number) => Promise<unknown>
}

/** The number of durable events per write. */
const chunk = 100

/**
 * Generates the frames of a run: past events, the draft of the current turn, and new events. Pulls more when the
 * consumer does, so a slow consumer costs nothing. Durable events are sent once the journal has them.
 */
export async function* tellEvents(
  { from, at, follows, calls }: Reader,
  { source, host, names, heartbeatMs, sign, wait }: TellOptions,
): AsyncGenerator<string, void> {
  yield writeFrame({ name: 'hello', data: { heartbeatMs } })
  let next = from
  /** When the last event was that the reader has. */
  let last = at
  let toldAt = host.now()
  let shows: ShownEvents | undefined
  let toldFault: RunView['fault']

  const withToken = async (event: Event): Promise<string> =>
    (event.type === 'asked' ? tokenFrame(event, await sign(event)) : '') + keptFrame(event)
  const keptFrame = (event: Event): string => {
    const [shown = event] = names.show(shows?.kept([event]) ?? [])
    return writeFrame({ name: 'kept', data: shown })
  }
  const faultFrame = (fault: Event): string => {
    const [shown = fault] = names.show(shows?.kept([fault]) ?? [])
    return writeFrame({ name: 'fault', data: shown })
  }
  const begin = async (view: RunView): Promise<string> => {
    const { events, state } = view
    if (!isSame(view, next, last)) return beginAnew(view)
    shows = shownEvents(state)
    const tokens = await Promise.all(
      askedIn(events.slice(0, from), state.asks).map(async (event) => tokenFrame(event, await sign(event))),
    )
    return tokens.join('')
  }
  /** Restarts a reader whose log differs: what it received was not persisted, and another owner took over. */
  const beginAnew = ({ state }: RunView): string => {
    shows = shownEvents(state)
    next = 0
    return writeFrame({ name: 'live', data: [{ type: 'rewound', to: 0 }] })
  }
  /** Returns the pending frames. */
  const tell = async (view: RunView): Promise<string> => {
    const sent = calls.splice(0).map(writeFrame).join('')
    if (sent) return sent
    const due = view.events.slice(next, next + chunk)
    if (due.length > 0) {
      next += due.length
      last = due.at(-1)?.at
      return (await Promise.all(due.map(withToken))).join('')
    }
    const live = shows?.live(source.takeLive(next)) ?? []
    if (live.length > 0) return writeFrame({ name: 'live', data: live })
    if (view.fault === toldFault) return ''
    toldFault = view.fault
    return toldFault ? faultFrame(toldFault) : ''
  }

  for (;;) {
    const view = await source.look()
    if (!view) {
      yield writeFrame({ name: 'gone', data: {} })
      return
    }
    const text = shows ? (isSame(view, next, last) ? await tell(view) : beginAnew(view)) : await begin(view)
    const isDue = host.now() - toldAt >= heartbeatMs
    if (text || isDue) {
      toldAt = host.now()
      yield text || heartbeat
    } else if (next < view.events.length) continue
    else if (!follows && (view.state.rest || view.fault)) return
    else await wait(Math.min(source.pollMs, heartbeatMs))
  }
}

const tokenFrame = ({ ask, at }: AskedEvent, token: string): string =>
  writeFrame({ name: 'token', data: { ask: ask.id, at, token } })

/** Where the questions that are open were asked. */
export const askedIn = (events: readonly Event[], open: readonly Ask[]): readonly AskedEvent[] =>
  open.flatMap(
    ({ id }) => events.findLast((event) => event.type === 'asked' && event.ask.id === id) ?? [],
  ) as AskedEvent[]

/** Returns true if the reader's events are the beginning of this log. */
const isSame = ({ events }: Pick<RunView, 'events'>, from: number, at: number | undefined): boolean =>
  from <= events.length && (at === undefined || from === 0 || events[from - 1]?.at === at)
