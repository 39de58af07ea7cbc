import { checkNext } from '../checkNext.ts'
import { closed } from '../closed.ts'
import type { Command } from '../command.ts'
import { complaintAboutData } from '../complaintAboutData.ts'
import type { AgentError } from '../error.ts'
import type { Event, EventBody, LiveEvent, Owner } from '../event.ts'
import { failed } from '../failed.ts'
import type { Host } from '../host.ts'
import { liveEvent } from '../liveShape.ts'
import { createMirror } from '../mirror.ts'
import type { Run } from '../run.ts'
import type { Signal } from '../signal.ts'
import { type Stray, withStray } from '../writtenRun.ts'

/** A run that is alive in a worker. */
export interface HostedRun<Output = unknown> extends Run<Output> {
  /** Where it works, of a run that the worker shares with others, as `acrossTabs()` does. */
  readonly owner: Owner | undefined
  /**
   * Lets go of it in this page. In the worker it goes on, and `resume` finds it there. The object rests with `stopped`, if it
   * does not rest, and does nothing any more.
   */
  close(): void
}

/** A run of the worker, as this page has it. */
export interface Followed<Output> {
  readonly run: HostedRun<Output>
  readonly isClosed: boolean
  /** What the worker says of it. Gives whether it can go on: what cannot be used is its end. */
  tell(events: readonly unknown[]): boolean
  /** It cannot go on, and rests with that here. */
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
  /** How its log begins, for a run that fails before the worker has told anything. */
  readonly begin?: readonly EventBody[]
  /** Called once, when the run cannot be used here any more. */
  readonly onClose: () => void
}

export function followRun<Output>({ id, host, send, settle, begin = [], onClose }: FollowOptions): Followed<Output> {
  const { run: mirrored, feed } = createMirror<Output>({
    id,
    newId: () => host.newId(),
    async send(command): Promise<number> {
      if (isClosed) throw closed()
      await followed.reach(await send(command))
      return feed.state.seq
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
  const run = withStray(Object.assign(mirrored, { close: () => close() }) as HostedRun<Output>, () => stray)
  Object.defineProperty(run, 'owner', { get: () => owner })

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
    else feed.tell(live)
  }
  /** Nothing more is heard. Whoever waits for the run would wait forever. */
  const end = (signal: Signal): void => {
    if (isOver) return
    isOver = true
    for (const goOn of over) goOn()
    if (feed.state.rest) return
    const { state } = feed
    if (state.seq === 0) begin.forEach(add)
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
  const followed: Followed<Output> = {
    run,
    get isClosed() {
      return isClosed
    },
    tell(events) {
      try {
        for (const event of events) if (!isOver) hear(event)
      } catch (error) {
        followed.fail(error)
      }
      return !isOver
    },
    fail: (error) => end(failed(error as AgentError, 'worker_failed')),
    reach: (length) =>
      new Promise((resolve) => {
        if (isOver || feed.state.seq >= length) return resolve()
        const goOn = (): void => {
          leave()
          over.delete(goOn)
          resolve()
        }
        const leave = feed.subscribe((_, { seq }) => seq >= length && goOn())
        over.add(goOn)
      }),
  }
  return followed
}
