import { checkNext } from '../checkNext.ts'
import type { Command } from '../command.ts'
import { complaintAboutData } from '../complaintAboutData.ts'
import type { AgentError } from '../error.ts'
import type { Event, EventBody, LiveEvent, Owner } from '../event.ts'
import { failed } from '../failed.ts'
import type { Host } from '../host.ts'
import { liveEvent } from '../liveShape.ts'
import { createMirror } from '../mirror.ts'
import type { Run } from '../run.ts'

/** A run of the worker, as this page has it. */
export interface Followed<Output> {
  readonly run: Run<Output>
  /** What the worker says of it. */
  tell(events: readonly unknown[]): void
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
}

export function followRun<Output>({ id, host, send, settle, begin = [] }: FollowOptions): Followed<Output> {
  const { run, feed } = createMirror<Output>({
    id,
    newId: () => host.newId(),
    async send(command): Promise<number> {
      await followed.reach(await send(command))
      return feed.state.seq
    },
    // A worker that is gone cannot say so.
    kept: () => (isOver ? undefined : settle().catch(() => {})),
  })
  let isOver = false
  /** Goes on with what waits for more of the log, once there will be no more. */
  const over = new Set<() => void>()
  let owner: Owner | undefined
  // Of a run that the worker shares with others, as `acrossTabs()` does.
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
  const followed: Followed<Output> = {
    run,
    tell(events) {
      try {
        for (const event of events) if (!isOver) hear(event)
      } catch (error) {
        followed.fail(error)
      }
    },
    fail(error) {
      if (isOver) return
      isOver = true
      for (const goOn of over) goOn()
      if (feed.state.rest) return
      if (feed.state.seq === 0) begin.forEach(add)
      add({ type: 'rested', signal: failed(error as AgentError, 'worker_failed') })
    },
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
