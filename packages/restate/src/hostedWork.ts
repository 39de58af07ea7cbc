import type { Agent, Host, Listener } from '@interleave/core'
import { decorateJournal } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import type { LiveEvent } from '@interleave/core/observe'
import type { Failures } from '@interleave/server/internal'
import { Inbox, type Ingress } from './ingress.ts'
import type { LiveBatch, LiveHub } from './liveHub.ts'
import { noticeCutShort } from './noticeCutShort.ts'
import { recordedJournal } from './recordedJournal.ts'
import type { Attempt, ExecutingRun } from './recordedWork.ts'
import { journalOn } from './restateJournal.ts'
import { RunWork, type RunWorkOptions } from './runWork.ts'
import type { ServiceNames } from './sdk.ts'
import type { SegmentLimits } from './segment.ts'
import { Slices } from './slices.ts'
import type { WorkEnd } from './workObject.ts'

export interface HostedWorkOptions {
  readonly agents: ReadonlyMap<string, Agent>
  readonly names: ServiceNames
  readonly limits: SegmentLimits
  readonly host: Host
  readonly ingress: Ingress
  readonly onLive: LiveHub['publish'] | undefined
  readonly onFault: (runId: string, error: unknown) => void
  readonly failures: Pick<Failures, 'receiveEvent'>
  readonly contextOf: RunWorkOptions['contextOf']
}

/** Milliseconds after which readers must see recorded events, and within which followers of a run notice them. */
const withHub = { showMs: 1_000, noticeMs: 500 }
const withoutHub = { showMs: 100, noticeMs: 2_000 }

/** Milliseconds between polls for commands, if an invocation cannot be notified. */
const pollMs = 500

/** Executes runs in the invocations of a host. */
export class HostedWork {
  readonly #options: HostedWorkOptions
  readonly #times: typeof withoutHub
  readonly #noticing: ReturnType<typeof noticeCutShort>

  constructor(options: HostedWorkOptions) {
    this.#options = options
    this.#times = options.onLive ? withHub : withoutHub
    this.#noticing = noticeCutShort(options.onFault)
  }

  /** Executes a run for a segment, in an invocation that does not record it. */
  async executeRun(runId: string, abortSignal: AbortSignal): Promise<WorkEnd> {
    const options = this.#workOptions(runId, abortSignal)
    return (await new RunWork({ runId, abortSignal, pollMs }, options).ended).end
  }

  /** Executes a run in the invocation that records it, and returns its writes slice by slice. */
  recordRun(attempt: Attempt): ExecutingRun {
    const { runId, head, recorded, start, abortSignal } = attempt
    const { host, onLive } = this.#options
    const options = this.#workOptions(runId, abortSignal)
    const slices = new Slices({
      ...{ host, showMs: this.#times.showMs },
      ...(onLive && { onRecorded: (kept) => onLive(runId, { kept }) }),
    })
    const journal = recordedJournal({ runId, head, recorded, slices, others: options.journal })
    const begin = start && { start: { ...start, isFirst: recorded.length === 0 } }
    const work = new RunWork({ runId, abortSignal, ...begin }, { ...options, journal })
    work.ended.then(
      (end) => slices.endWith(end),
      (error) => slices.failWith(error),
    )
    const executing: ExecutingRun = {
      next: () => slices.next({ mayEnd: () => work.isIdle }),
      confirmRecorded: () => slices.confirmRecorded(),
      takeCommands: () => work.takeCommands(),
      close: () => work.close(),
    }
    return this.#noticing(executing, attempt)
  }

  #workOptions(runId: string, signal: AbortSignal): RunWorkOptions {
    const { agents, names, limits, host, ingress, onLive, onFault, failures, contextOf } = this.#options
    const report: Listener = (event, state) => failures.receiveEvent(event, state)
    const ask: Ingress = (call) => ingress({ onFault: (error) => onFault(runId, error), ...call, signal })
    const journal = journalOn(ask, { names, host })
    return {
      ...{ agents, limits, host, noticeMs: this.#times.noticeMs },
      journal: onLive ? publishDurable(journal, onLive) : journal,
      inbox: new Inbox(ask, { names, runId }),
      observers: onLive ? [report, publishLive((batch) => onLive(runId, batch))] : [report],
      contextOf,
      onFault: (error) => onFault(runId, error),
    }
  }
}

/** Wraps a journal so that it publishes events as soon as they are durable. */
const publishDurable = (journal: Required<Journal>, publish: LiveHub['publish']): Required<Journal> =>
  decorateJournal(journal, () => ({
    async append(runId, events, options) {
      await journal.append(runId, events, options)
      publish(runId, { kept: events })
    },
  }))

/** Publishes live events of runs; several events of one run are sent together. */
function publishLive(publish: (batch: LiveBatch) => void): Listener {
  let waiting: LiveEvent[] = []
  let position = { after: 0, iteration: 0 }
  const flush = (): void => {
    const events = waiting
    waiting = []
    if (events.length > 0) publish({ ...position, events })
  }
  return (event, { seq, iteration }) => {
    if ('seq' in event) return
    if (position.after !== seq) flush()
    position = { after: seq, iteration }
    waiting.push(event)
    if (waiting.length === 1) queueMicrotask(flush)
  }
}
