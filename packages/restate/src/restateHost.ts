import { type Agent, type Host, localHost } from '@interleave/core'
import {
  assertOption,
  checkAboveZero,
  checkHandle,
  checkOptions,
  isObject,
  withDefaults,
} from '@interleave/core/internal'
import { type FailureOptions, Failures, ownerAndId } from '@interleave/server/internal'
import type { ObjectContext, ObjectSharedContext } from '@restatedev/restate-sdk/fetch'
import { HostedWork } from './hostedWork.ts'
import { type InboxHandlers, type InboxObject, inboxObject } from './inboxObject.ts'
import { createIngress, type IngressOptions } from './ingress.ts'
import type { LiveHub } from './liveHub.ts'
import { type LogObject, logObject, type PagesObject, pagesObject } from './logObject.ts'
import { recordedWork } from './recordedWork.ts'
import { reporting } from './reporting.ts'
import { type RestateModule, type RestateSdk, type ServiceNames, serviceNames } from './sdk.ts'
import type { SegmentLimits } from './segment.ts'
import { type CommandResult, checkInput, type Starting, type WorkingHandlers } from './sentCommand.ts'
import { type WorkHandlers, type WorkObject, workObject } from './workObject.ts'

export interface RestateHostOptions extends IngressOptions, Pick<FailureOptions, 'onFailure' | 'log'> {
  /** Restate's SDK for the platform of the handlers. */
  sdk: RestateModule
  agents: readonly Agent[]
  /** The prefix of the services' names; "interleave" by default. */
  name?: string
  segment?: Partial<SegmentLimits>
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
  /** Returns the context of a run, as `contextOf` of `createHandler`. */
  contextOf?: (user: string, runId: string) => unknown
  /** Time, ids and effects. */
  host?: Host
}

/**
 * Runs these agents on Restate: `restateAgent()` starts their runs. If a process dies, another one resumes its runs.
 *
 * @example
 * import http2 from 'node:http2'
 * import * as restate from '@restatedev/restate-sdk'
 *
 * const { services } = restateHost({ sdk: restate, agents: [guide], ingress: 'http://localhost:8080' })
 * http2.createServer(restate.createEndpointHandler({ services })).listen(9080)
 */
export function restateHost(given: RestateHostOptions): { readonly services: RestateServices } {
  checkOptions('restateHost()', given, [
    'sdk',
    'agents',
    'name',
    'segment',
    'bidirectional',
    'onLive',
    'onFault',
    'onFailure',
    'log',
    'contextOf',
    'host',
    'ingress',
    'headers',
    'fetch',
  ])
  const { agents, name = 'interleave', host = localHost, onLive, onFault = () => {}, contextOf } = given
  assertOption(
    isObject(given.sdk) && given.sdk.handlers,
    'restateHost({ sdk }) needs the module "@restatedev/restate-sdk".',
  )
  assertOption(agents, 'restateHost({ agents }) needs a list of agents, such as [guide].')
  for (const agent of agents) checkHandle(agent, 'restateHost()')
  assertOption(given.ingress, 'restateHost({ ingress }) needs the address of Restate, such as "http://localhost:8080".')
  const byName = new Map(agents.map((agent) => [agent.name, agent]))
  assertOption(byName.size === agents.length, 'Two agents of a restateHost() have the same name. Rename one of them.')
  const { bidirectional = 'serve' in given.sdk, segment = {} } = given
  checkOptions('`segment`', segment, ['turns', 'ms', 'lingerMs', 'effectMs'])
  const { lingerMs = 0, ...aboveZero } = segment
  checkAboveZero('`segment`', aboveZero)
  assertOption(
    typeof lingerMs === 'number' && lingerMs >= 0,
    'The `lingerMs` of `segment` must be a number, 0 or more.',
  )
  const limits = withDefaults(bidirectional ? long : short, segment)
  const names = serviceNames(name)
  const hosted = new HostedWork({
    ...{ agents: byName, names, limits, host },
    ingress: createIngress({ ...given, host, retryForMs: Number.POSITIVE_INFINITY }),
    onLive: onLive && reporting(onLive),
    onFault: reporting(onFault),
    failures: new Failures(given),
    contextOf: contextOf && ((kept) => contextOf(...ownerAndId(kept))),
  })
  const longestMs = limits.ms + limits.effectMs
  const sdk = given.sdk as unknown as RestateSdk
  const inbox = inboxObject(sdk, names)
  const pages = pagesObject(sdk, names)
  if (bidirectional) {
    const working = recordedWork(sdk, { names, begin: (attempt) => hosted.recordRun(attempt) })
    return { services: [logObject(sdk, { names, working, longestMs }), pages, inbox] }
  }
  const work = workObject(sdk, { names, longestMs, work: (...attempt) => hosted.executeRun(...attempt) })
  return { services: [logObject(sdk, { names, working: forwardedWork(sdk, names) }), pages, inbox, work] }
}

const long: SegmentLimits = { turns: 200, ms: 600_000, lingerMs: 5_000, effectMs: 600_000 }
/** The limits on an edge, where an invocation may make only a limited number of requests. */
const short: SegmentLimits = { ...long, turns: 50, ms: 120_000 }

/** The services for Restate: `createEndpointHandler({ services })`. */
export type RestateServices = [LogObject, PagesObject, InboxObject, ...WorkObject[]]

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
      ctx.objectSendClient<InboxHandlers>({ name: names.inbox }, ctx.key).put({ ...starting, awakeable: id })
      return promise
    }) as WorkingHandlers['start'],
    work: shared(async (ctx: ObjectSharedContext): Promise<void> => {
      ctx.objectSendClient<WorkHandlers>({ name: names.work }, ctx.key).work()
    }) as (ctx: ObjectContext) => Promise<void>,
  }
}
