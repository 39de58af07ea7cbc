import type { Event } from '@interleave/core'
import type { ObjectContext, RestatePromise } from '@restatedev/restate-sdk/fetch'
import { commandSignal } from './inboxObject.ts'
import { type Head, headOf, type LogHandlers, storeEvents } from './logObject.ts'
import type { RestateSdk, ServiceNames } from './sdk.ts'
import { type CommandResult, checkInput, type Starting, type WorkingHandlers } from './sentCommand.ts'
import { isAwaited, type Slice } from './slices.ts'
import { delayMs, pausing, toBytes, triesOf } from './workObject.ts'

/** Waits for a promise of the SDK, and calls back when a command arrives meanwhile. */
type NotifiedWait = <T>(coming: RestatePromise<T>, onCommand: () => void) => Promise<T>

/** Creates such a wait. The SDK allows only one `await` at a time, so it awaits both in one. */
function createNotifiedWait(ctx: ObjectContext, { RestatePromise: { race } }: RestateSdk): NotifiedWait {
  let times = 1
  let command = ctx.signal(commandSignal(times))
  return async (coming, onCommand) => {
    const done = coming.map((value, failure) => {
      if (failure) throw failure
      return { value: value as Awaited<typeof coming> }
    })
    for (;;) {
      const first = await race([done, command.map(() => undefined)])
      if (first) return first.value
      times++
      command = ctx.signal(commandSignal(times))
      onCommand()
    }
  }
}

/** The inputs of one attempt. */
export interface Attempt {
  readonly runId: string
  /** The head of the log, as this invocation read and claimed it. */
  readonly head: Head
  /** The events that earlier attempts recorded. */
  readonly recorded: readonly Event[]
  readonly start?: Starting['command']
  readonly abortSignal: AbortSignal
}

/** A run that executes in this process. */
export interface ExecutingRun {
  /** Returns the next batch to record. */
  next(): Promise<Slice>
  /** Notes that the batch is recorded. */
  confirmRecorded(): void
  /** Notes that there are new commands. */
  takeCommands(): void
  close(): void
}

export interface RecordedWorkOptions {
  readonly names: ServiceNames
  readonly begin: (attempt: Attempt) => ExecutingRun
}

/**
 * Executes a run within the invocation that records its writes, one `ctx.run` per append. An attempt after a crash gets
 * the recorded events and continues from that log: the agent's code is not replayed. Restate allows one invocation per
 * object at a time, so there is no other writer. It needs bidirectional streaming: otherwise each record would end the
 * attempt.
 */
export function recordedWork(sdk: RestateSdk, { names, begin }: RecordedWorkOptions): WorkingHandlers {
  const work = async (ctx: ObjectContext, { start, tries = 0 }: WorkOptions): Promise<CommandResult> => {
    const abortSignal = ctx.request().attemptCompletedSignal
    const before = await headOf(ctx)
    const head: Head = { ...before, epoch: before.epoch + 1, invocation: ctx.request().id }
    ctx.set('head', head)
    const recorded: Event[] = []
    let shown = head
    let executing: ExecutingRun | undefined
    const notifiedWait = createNotifiedWait(ctx, sdk)
    const attempt = { runId: ctx.key, head, recorded, abortSignal, ...(start && { start: start.command }) }
    try {
      for (;;) {
        const coming = ctx.run('slice', () =>
          pausing(sdk, () => {
            executing ??= begin({ ...attempt, recorded: [...recorded] })
            return executing.next()
          }),
        )
        const slice = await notifiedWait(coming, () => executing?.takeCommands())
        recorded.push(...slice.events)
        if (slice.isShown) {
          const unshown = recorded.slice(shown.length - head.length)
          shown = storeEvents(ctx, { head: slice.end ? release(shown) : shown, events: unshown, names })
        }
        // A response to a later entry means that the previous one can be read.
        if (isAwaited(slice.events)) await ctx.run('shown', () => null)
        executing?.confirmRecorded()
        if (slice.end) return endWork(ctx, { slice, length: shown.length, names, tries, ...(start && { start }) })
      }
    } finally {
      executing?.close()
    }
  }
  return {
    async start(ctx, start) {
      checkInput('start', start, sdk)
      return work(ctx, { start })
    },
    async work(ctx, tries) {
      await work(ctx, { tries: triesOf(tries) })
    },
  }
}

const release = ({ invocation: _, ...head }: Head): Head => head

/** A request to execute a run. */
interface WorkOptions {
  readonly start?: Starting
  /** The number of attempts without capacity. */
  readonly tries?: number
}

interface Ending extends WorkOptions {
  readonly slice: Slice
  readonly length: number
  readonly names: ServiceNames
  readonly tries: number
}

function endWork(ctx: ObjectContext, { slice: { end, failure }, length, names, start, tries }: Ending): CommandResult {
  if (end === 'more') ctx.objectSendClient<LogHandlers>({ name: names.log }, ctx.key).work()
  if (end === 'later' || end === 'crowded') {
    const again =
      start && length === 0
        ? { method: 'start', parameter: toBytes(start) }
        : { method: 'work', parameter: toBytes(end === 'crowded' ? tries + 1 : undefined) }
    // A new invocation, since another attempt goes to the same deployment, and not to a newer one.
    const delay = delayMs(end, { tries, random: ctx.rand.random() })
    ctx.genericSend({ service: names.log, key: ctx.key, ...again, delay })
  }
  return failure ? { failure } : { length }
}
