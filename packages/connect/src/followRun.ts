import type { AgentError, Event, Host, Run, Signal } from '@interleave/core'
import type { Command, Owner, RemoteLink } from '@interleave/core/internal'
import {
  checkNext,
  closed,
  complaintAboutData,
  createMirror,
  failed,
  type Stray,
  withStray,
} from '@interleave/core/internal'
import type { LiveEvent } from '@interleave/core/observe'
import { liveEvent } from '@interleave/core/shapes'
import type { EventBody } from '@interleave/core/steps'
import { createUnconfirmed } from './unconfirmed.ts'

/** A run that is alive in a worker. */
export interface HostedRun<Output = unknown> extends Run<Output> {
  /** Where it works, of a run that the worker shares with others, as `acrossTabs()` does. */
  readonly owner: Owner | undefined
  /** The connection of the page to the server, for a run of a server. Each change is a live event `linked`. */
  readonly link: RemoteLink | undefined
  /**
   * Releases the run in this page. It continues in the worker, and `resume` finds it there. The object settles with
   * `stopped`, if it has not settled, and does nothing any more.
   */
  close(): void
}

/** A run of the worker, as this page has it. */
export interface Followed<Output> {
  readonly run: HostedRun<Output>
  readonly isClosed: boolean
  /** Applies the worker's events. Returns false if the run cannot continue, because they are invalid. */
  tell(events: readonly unknown[]): boolean
  /** Sets the connection status. Returns true if it has changed. */
  linked(link: RemoteLink): boolean
  /** Fails the run here with this error. */
  fail(error: unknown): void
  /** Resolves when so much of the log is known here, or no more will be. */
  reach(length: number): Promise<void>
}

export interface FollowOptions {
  readonly id: string
  readonly host: Pick<Host, 'now' | 'newId'>
  readonly send: (command: Command) => Promise<number>
  /** Resolves when the rest of now is in the journal. */
  readonly settle: () => Promise<unknown>
  /** The beginning of its log, for a run that fails before the worker has sent anything. */
  readonly begin?: readonly EventBody[]
  /** Shows messages immediately, before the worker has them. */
  readonly showsSaid?: boolean
  /** Called once, when the run cannot be used here any more. */
  readonly onClose: () => void
}

export function followRun<Output>({
  id,
  host,
  send,
  settle,
  begin = [],
  showsSaid = false,
  onClose,
}: FollowOptions): Followed<Output> {
  const { run: mirrored, feed } = createMirror<Output>({
    id,
    newId: () => host.newId(),
    async send(command): Promise<number> {
      if (isClosed) throw closed()
      if (showsSaid && command.type === 'say') return say(command)
      await followed.reach(await send(command))
      return unconfirmed.confirmed.seq
    },
    // A worker that is gone cannot say so.
    kept: () => (isOver ? undefined : settle().catch(() => {})),
  })
  let isOver = false
  let isClosed = false
  /** Goes on with what waits for more of the log, once there will be no more. */
  const over = new Set<() => void>()
  let owner: Owner | undefined
  let stray: Stray | undefined
  let link: RemoteLink | undefined
  const run = withStray(
    Object.assign(mirrored, { close: () => close() }) as HostedRun<Output>,
    () =>
      stray ?? (unconfirmed.confirmed === feed.state ? undefined : { state: unconfirmed.confirmed, fault: undefined }),
  )
  Object.defineProperty(run, 'owner', { get: () => owner })
  Object.defineProperty(run, 'link', { get: () => link })

  const unconfirmed = createUnconfirmed(feed, host)
  const say = async (command: Extract<Command, { type: 'say' }>): Promise<number> => {
    const { key, content } = command
    const isKnown = feed.events.some((event) => event.type === 'said' && event.key === key)
    if (!isKnown) unconfirmed.add([{ type: 'said', by: 'user', content, key, isSending: true }])
    try {
      await followed.reach(await send(command))
      return unconfirmed.confirmed.seq
    } finally {
      // It has come, or it will not.
      if (!isOver) unconfirmed.drop(key)
    }
  }
  const add = (body: EventBody): void => {
    const { seq, iteration } = feed.state
    feed.tell({ seq, at: host.now(), iteration, ...body })
  }
  const hear = (event: unknown): void => {
    if (typeof event === 'object' && event !== null && 'seq' in event) {
      for (const kept of checkNext([event], feed.state.seq)) feed.tell(kept satisfies Event)
      return
    }
    if (liveEvent(event) !== undefined || complaintAboutData(event) !== undefined) return
    const live = event as LiveEvent
    if (live.type === 'owned') owner = live.by
    if (live.type === 'rewound') feed.rewind(live.to)
    else unconfirmed.tellLive(live)
  }
  /** Ends the subscription and settles the run, so that no caller waits forever. */
  const end = (signal: Signal): void => {
    if (isOver) return
    isOver = true
    for (const goOn of over) goOn()
    if (feed.state.rest) return
    const { confirmed: state } = unconfirmed
    if (feed.state.seq === 0) begin.forEach(add)
    add({ type: 'rested', signal })
    const { updatedAt: at, iteration } = feed.state
    stray = { state, fault: { seq: state.seq, at, iteration, type: 'rested', signal } }
  }
  const close = (): void => {
    if (isClosed) return
    isClosed = true
    // Before anybody hears of the rest, who may open it again.
    onClose()
    end({ type: 'stopped', reason: closed().message })
  }
  if (showsSaid && begin.length > 0) unconfirmed.add(begin)
  const followed: Followed<Output> = {
    run,
    get isClosed() {
      return isClosed
    },
    tell(events) {
      try {
        const tell = (): void => {
          for (const event of events) if (!isOver) hear(event)
        }
        if (events.every(isLive)) tell()
        else unconfirmed.around(tell)
      } catch (error) {
        followed.fail(error)
      }
      return !isOver
    },
    linked(given) {
      if (given.type !== 'waiting' && given.type === link?.type) return false
      link = given
      unconfirmed.tellLive({ type: 'linked', link: given })
      return true
    },
    fail: (error) => end(failed(error as AgentError, 'worker_failed')),
    reach: (length) =>
      new Promise((resolve) => {
        if (isOver || unconfirmed.confirmed.seq >= length) return resolve()
        const goOn = (): void => {
          leave()
          over.delete(goOn)
          resolve()
        }
        const leave = feed.subscribe(() => unconfirmed.confirmed.seq >= length && goOn())
        over.add(goOn)
      }),
  }
  return followed
}

const isLive = (event: unknown): boolean =>
  !(typeof event === 'object' && event !== null && ('seq' in event || (event as { type?: unknown }).type === 'rewound'))
