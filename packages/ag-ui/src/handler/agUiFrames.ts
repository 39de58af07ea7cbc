import { elapsedMs, heartbeat } from '@interleave/connect/internal'
import type { Event } from '@interleave/core'
import {
  type Problem,
  type RequestContext,
  type RunSource,
  type RunView,
  shownEvents,
} from '@interleave/server/internal'
import type { AgUiWriter } from '../events/agUiWriter.ts'
import type { AgUiEvent } from '../protocol.ts'

export interface FramesOptions {
  readonly context: Pick<RequestContext, 'host' | 'limits' | 'names' | 'exposeErrors'>
  readonly source: Pick<RunSource, 'readView' | 'takeLive' | 'pollMs'>
  /** Has applied the events before `from`. */
  readonly writer: AgUiWriter
  readonly from: number
  /** The time of the last of these events. */
  readonly at: number | undefined
  /** True if the client does not have all messages. */
  readonly needsMessages: boolean
  /** The reason why the request cannot be applied. */
  readonly problem: Problem | undefined
  /** Resolves when there may be more events, and at the latest after this many milliseconds. */
  readonly wait: (ms: number) => Promise<unknown>
}

/** The number of durable events per write. */
const chunk = 100

/** Writes a run for one request, from a position of its log until it settles. */
export async function* agUiFrames(options: FramesOptions): AsyncGenerator<string, void> {
  const { context, source, writer, at, needsMessages, problem, wait } = options
  const { host, limits, names } = context
  const begunAt = host.now()
  let [next, last] = [options.from, at]
  let sentAt = begunAt
  let shows: ReturnType<typeof shownEvents> | undefined
  yield textOf(writer.begin(needsMessages))
  if (problem) {
    yield textOf(writer.fail({ message: problem.detail, code: problem.code }))
    return
  }
  for (;;) {
    const view = await source.readView()
    if (!view || !isSameLog(view, next, last)) {
      yield textOf(writer.fail(view ? continuedElsewhere : deleted))
      return
    }
    shows ??= shownEvents(view.state, context)
    const { kept, live: liveOf } = shows
    const show = (events: readonly Event[]): string =>
      names
        .show(kept(events))
        .map((event) => textOf(writer.add(event)))
        .join('')
    const due = view.events.slice(next, next + chunk)
    next += due.length
    last = due.at(-1)?.at ?? last
    const live = due.length > 0 ? [] : liveOf(source.takeLive(next))
    const text = show(due) + live.map((event) => textOf(writer.add(event))).join('')
    if (text || elapsedMs(sentAt, host.now()) >= limits.heartbeatMs) {
      sentAt = host.now()
      yield text || heartbeat
    }
    // The streaming part was not read, or there may be more by now.
    if (text || due.length > 0) continue
    if (view.fault) yield show([view.fault])
    if (view.fault || view.state.signal) {
      yield textOf(writer.end())
      return
    }
    if (host.now() - begunAt >= limits.streamMs) {
      yield textOf(writer.fail(tooLong))
      return
    }
    await wait(Math.min(source.pollMs, limits.heartbeatMs))
  }
}

/** Returns true if the events that were written are the beginning of this log. */
const isSameLog = ({ events }: RunView, next: number, last: number | undefined): boolean =>
  next <= events.length && (next === 0 || events[next - 1]?.at === last)

const textOf = (events: readonly AgUiEvent[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

const deleted = { code: 'run_unknown', message: 'The run was deleted.' } as const
const continuedElsewhere = {
  code: 'journal_conflict',
  message: 'The run continued elsewhere. Send the request again to follow it.',
} as const
const tooLong = {
  code: 'stalled',
  message: 'The stream was open for too long. The run continues: send the request again to follow it.',
} as const
