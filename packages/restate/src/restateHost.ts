import { type Agent, type Host, localHost } from '@interleave/core'
import { demand } from '@interleave/core/internal'
import { beginLiving } from './beginLiving.ts'
import { createInbox } from './createInbox.ts'
import type { SegmentLimits } from './createSegment.ts'
import { forwardedWork } from './forwardedWork.ts'
import { type InboxObject, inboxObject } from './inboxObject.ts'
import { createIngress, type Ingress, type IngressOptions } from './ingress.ts'
import type { LiveHub } from './liveHub.ts'
import { type LogObject, logObject } from './logObject.ts'
import { noticeCutShort } from './noticeCutShort.ts'
import { type PagesObject, pagesObject } from './pagesObject.ts'
import { type Attempt, type Living, recordedWork } from './recordedWork.ts'
import { reporting } from './reporting.ts'
import { journalOn } from './restateJournal.ts'
import type { RestateModule, RestateSdk } from './sdk.ts'
import { serviceNames } from './serviceNames.ts'
import { tellKept } from './tellKept.ts'
import { tellLive } from './tellLive.ts'
import { type Worked, type WorkObject, workObject } from './workObject.ts'
import { type WorkOnOptions, workOn } from './workOn.ts'

export interface RestateHostOptions extends IngressOptions {
  /** Restate's SDK, as it fits the place that the handlers run in. */
  sdk: RestateModule
  agents: readonly Agent[]
  /** Stands before the names of the services; "interleave" by default. */
  name?: string
  segment?: Partial<SegmentLimits>
  /** Milliseconds that a call of a tool or a model may take at most; 600,000 by default. */
  longestEffectMs?: number
  /**
   * Whether handlers are served with a stream in both directions, as by HTTP/2 in Node; by default if the SDK is the one for Node. What
   * a run keeps is then recorded by its own invocation, which is much quicker. Set it to false behind a fetch handler or on an edge.
   */
  bidirectional?: boolean
  /** Hears what runs do as they do it: the words of a turn as they come, and what is kept. Not awaited. */
  onLive?: LiveHub['tell']
  /** Hears why a run cannot go on now. It is tried again: where its agent is missing as `agent_mismatch`, until that is deployed. */
  onFault?: (runId: string, error: unknown) => void
  /** Time, ids and effects. */
  host?: Host
}

/**
 * Lets runs of these agents work on Restate: `restateAgent()` begins them. If a process dies, another one goes on with its runs.
 *
 * @example
 * const { services } = restateHost({ sdk: restate, agents: [guide], ingress: 'http://localhost:8080' })
 * http2.createServer(restate.createEndpointHandler({ services })).listen(9080)
 */
export function restateHost({
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
}: RestateHostOptions): { readonly services: RestateServices } {
  demand(options.ingress, 'restateHost({ ingress }) needs the address of Restate, such as "http://localhost:8080".')
  const byName = new Map(agents.map((agent) => [agent.name, agent]))
  demand(byName.size === agents.length, 'Two agents of a restateHost() have the same name. Rename one of them.')
  const limits: SegmentLimits = { ...(bidirectional ? long : short), lingerMs: 5_000, ...segment }
  const names = serviceNames(name)
  const onLive = live && reporting(live)
  const onFault = reporting(fault)
  const ingress = createIngress({ ...options, host, retryForMs: Number.POSITIVE_INFINITY })
  const longestMs = limits.ms + longestEffectMs
  const workOptions = (runId: string, abortSignal: AbortSignal): WorkOnOptions => {
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
    (await workOn(runId, { ...workOptions(runId, signal), lookMs }).ended).end
  return {
    services: [logObject(sdk, { names, working }), pages, inbox, workObject(sdk, { names, work, longestMs })],
  }
}

const long = { turns: 200, ms: 600_000 }
/** An edge lets an invocation make only so many requests. */
const short = { turns: 50, ms: 120_000 }

/** Milliseconds after which those who look see what was done, and where a hub tells it anyway. */
const [showMs, toldShowMs] = [100, 1_000]

/** Milliseconds in which who follows a run has seen what was done, and where a hub tells it. */
const [heardMs, toldHeardMs] = [2_000, 500]

/** Milliseconds between two looks whether something was asked, where an invocation cannot hear of it. */
const lookMs = 500

/** What is served to Restate: `createEndpointHandler({ services })`. */
export type RestateServices = [LogObject, PagesObject, InboxObject, ...WorkObject[]]
