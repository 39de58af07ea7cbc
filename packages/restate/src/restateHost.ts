import { type Agent, type Host, type Listener, localHost } from '@interleave/core'
import {
  assertOption,
  decorateJournal,
  hostWords,
  isObject,
  type KnownOptions,
  refuseUnknown,
} from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import type { LiveEvent } from '@interleave/core/observe'
import type { ObjectContext, ObjectSharedContext } from '@restatedev/restate-sdk/fetch'
import { createInbox } from './createInbox.ts'
import { type InboxHandlers, type InboxObject, inboxObject } from './inboxObject.ts'
import { createIngress, type Ingress, type IngressOptions } from './ingress.ts'
import type { LiveBatch, LiveHub } from './liveHub.ts'
import { type LogObject, logObject, type PagesObject, pagesObject } from './logObject.ts'
import { noticeCutShort } from './noticeCutShort.ts'
import { recordedJournal } from './recordedJournal.ts'
import { type Attempt, type Living, recordedWork } from './recordedWork.ts'
import { reporting } from './reporting.ts'
import { journalOn } from './restateJournal.ts'
import { RunWork, type RunWorkOptions } from './runWork.ts'
import { type RestateModule, type RestateSdk, type ServiceNames, serviceNames } from './sdk.ts'
import type { SegmentLimits } from './segment.ts'
import { type CommandResult, checkInput, type Starting, type WorkingHandlers } from './sentCommand.ts'
import { Slices } from './slices.ts'
import { type Worked, type WorkHandlers, type WorkObject, workObject } from './workObject.ts'

export interface RestateHostOptions extends IngressOptions {
  /** Restate's SDK for the platform of the handlers. */
  sdk: RestateModule
  agents: readonly Agent[]
  /** The prefix of the services' names; "interleave" by default. */
  name?: string
  segment?: Partial<SegmentLimits>
  /** The maximum milliseconds of a tool call or model call; 600,000 by default. */
  longestEffectMs?: number
  /**
   * True if handlers are served with bidirectional streaming, as over HTTP/2 in Node; by default if the SDK is the one
   * for Node. A run's writes are then recorded by its own invocation, which is much faster. Set it to false behind a
   * fetch handler or on an edge.
   */
  bidirectional?: boolean
  /** Called with events of runs as they happen: the deltas of a turn, and durable events. Not awaited. */
  onLive?: LiveHub['publish']
  /** Receives the reason why a run cannot continue now. It is retried. */
  onFault?: (runId: string, error: unknown) => void
  /** Time, ids and effects. */
  host?: Host
}

const restateHostOptions: KnownOptions<RestateHostOptions> = {
  sdk: true,
  agents: 'a list',
  name: 'a string',
  segment: true,
  longestEffectMs: 'a number (0 or more)',
  bidirectional: 'a boolean',
  onLive: 'a function',
  onFault: 'a function',
  host: hostWords,
  ingress: 'a string',
  headers: true,
  fetch: 'a function',
}

/**
 * Runs these agents on Restate: `restateAgent()` starts their runs. If a process dies, another one resumes its runs.
 *
 * @example
 * const { services } = restateHost({ sdk: restate, agents: [guide], ingress: 'http://localhost:8080' })
 * http2.createServer(restate.createEndpointHandler({ services })).listen(9080)
 */
export function restateHost(given: RestateHostOptions): { readonly services: RestateServices } {
  refuseUnknown('restateHost()', given, restateHostOptions)
  assertOption(isObject(given.sdk), 'restateHost({ sdk }) needs the module "@restatedev/restate-sdk".')
  assertOption(given.agents, 'restateHost({ agents }) needs a list of agents, such as [guide].')
  const {
    sdk: module,
    agents,
    name = 'interleave',
    segment = {},
    longestEffectMs = 600_000,
    bidirectional = 'serve' in module,
    onLive: live,
    onFault: fault = () => {},
    host = localHost,
    ...options
  } = given
  assertOption(
    options.ingress,
    'restateHost({ ingress }) needs the address of Restate, such as "http://localhost:8080".',
  )
  const byName = new Map(agents.map((agent) => [agent.name, agent]))
  assertOption(byName.size === agents.length, 'Two agents of a restateHost() have the same name. Rename one of them.')
  const limits: SegmentLimits = { ...(bidirectional ? long : short), lingerMs: 5_000, ...segment }
  const names = serviceNames(name)
  const onLive = live && reporting(live)
  const onFault = reporting(fault)
  const ingress = createIngress({ ...options, host, retryForMs: Number.POSITIVE_INFINITY })
  const longestMs = limits.ms + longestEffectMs
  const workOptions = (runId: string, abortSignal: AbortSignal): RunWorkOptions => {
    const ask: Ingress = (call) => ingress({ onFault: (error) => onFault(runId, error), ...call, signal: abortSignal })
    return {
      ...{ agents: byName, limits, host, abortSignal },
      journal: tellKept(journalOn(ask, { names, host }), onLive),
      inbox: createInbox(ask, { names, runId }),
      observers: onLive ? [tellLive((told) => onLive(runId, told))] : [],
      onFault: (error) => onFault(runId, error),
      heardMs: onLive ? toldHeardMs : heardMs,
    }
  }
  const noticing = noticeCutShort(onFault)
  const begin = (attempt: Attempt): Living => {
    const living = beginLiving(attempt, {
      ...workOptions(attempt.runId, attempt.abortSignal),
      ...(onLive && { tell: onLive }),
      showMs: onLive ? toldShowMs : showMs,
    })
    return noticing(living, attempt)
  }
  const sdk = module as unknown as RestateSdk
  const inbox = inboxObject(sdk, names)
  const pages = pagesObject(sdk, names)
  if (bidirectional) {
    const working = recordedWork(sdk, { names, begin })
    return { services: [logObject(sdk, { names, working, longestMs }), pages, inbox] }
  }
  const working = forwardedWork(sdk, names)
  const work = async (runId: string, signal: AbortSignal): Promise<Worked> =>
    (await new RunWork(runId, { ...workOptions(runId, signal), lookMs }).ended).end
  return {
    services: [logObject(sdk, { names, working }), pages, inbox, workObject(sdk, { names, work, longestMs })],
  }
}

const long = { turns: 200, ms: 600_000 }
/** The limits on an edge, where an invocation may make only a limited number of requests. */
const short = { turns: 50, ms: 120_000 }

/** Milliseconds after which readers see what was done, without and with a hub. */
const [showMs, toldShowMs] = [100, 1_000]

/** Milliseconds in which followers of a run have seen what was done, without and with a hub. */
const [heardMs, toldHeardMs] = [2_000, 500]

/** Milliseconds between polls for commands, if an invocation cannot be notified. */
const lookMs = 500

/** The services for Restate: `createEndpointHandler({ services })`. */
export type RestateServices = [LogObject, PagesObject, InboxObject, ...WorkObject[]]

/** Wraps a journal so that it emits durable events as soon as they are durable. */
function tellKept(journal: Required<Journal>, tell: LiveHub['publish'] | undefined): Required<Journal> {
  if (!tell) return journal
  return decorateJournal(journal, () => ({
    async append(runId, events, options) {
      await journal.append(runId, events, options)
      tell(runId, { kept: events })
    },
  }))
}

/** Emits live events of runs; several events of one run are sent together. */
function tellLive(tell: (told: LiveBatch) => void): Listener {
  let untold: LiveEvent[] = []
  let place = { after: 0, iteration: 0 }
  const flush = (): void => {
    const events = untold
    untold = []
    if (events.length > 0) tell({ ...place, events })
  }
  return (event, { seq, iteration }) => {
    if ('seq' in event) return
    if (place.after !== seq) flush()
    place = { after: seq, iteration }
    untold.push(event)
    if (untold.length === 1) queueMicrotask(flush)
  }
}

/**
 * Forwards work for hosts whose invocations cannot record while they execute: the run then executes in another object,
 * and writes to this one like any other writer.
 */
function forwardedWork(sdk: RestateSdk, names: ServiceNames): WorkingHandlers {
  const { shared } = sdk.handlers.object
  return {
    start: shared(async (ctx: ObjectSharedContext, starting: Starting): Promise<CommandResult> => {
      checkInput('start', starting, sdk)
      const { id, promise } = ctx.awakeable<CommandResult>()
      ctx.objectSendClient<InboxHandlers>({ name: names.inbox }, ctx.key).put({ ...starting, asker: id })
      return promise
    }) as WorkingHandlers['start'],
    work: shared(async (ctx: ObjectSharedContext): Promise<void> => {
      ctx.objectSendClient<WorkHandlers>({ name: names.work }, ctx.key).work()
    }) as (ctx: ObjectContext) => Promise<void>,
  }
}

interface BeginLivingOptions extends Omit<RunWorkOptions, 'abortSignal' | 'start'> {
  /** Milliseconds after which readers must see what was recorded. */
  readonly showMs: number
  /** Called with what is recorded. */
  readonly tell?: LiveHub['publish']
}

/** Starts a run, and returns its writes slice by slice. */
function beginLiving({ runId, head, recorded, start, abortSignal }: Attempt, options: BeginLivingOptions): Living {
  const { host, showMs, tell, journal: others } = options
  const slices = new Slices({ host, showMs, ...(tell && { onRecorded: (kept) => tell(runId, { kept }) }) })
  const journal = recordedJournal({ runId, head, recorded, slices, others })
  const isFirst = recorded.length === 0
  const work = new RunWork(runId, { ...options, journal, abortSignal, ...(start && { start: { ...start, isFirst } }) })
  work.ended.then(
    (end) => slices.endWith(end),
    (error) => slices.failWith(error),
  )
  return {
    next: () => slices.next({ mayEnd: () => work.isIdle }),
    confirmRecorded: () => slices.confirmRecorded(),
    takeCommands: () => work.takeCommands(),
    close: () => work.close(),
  }
}
