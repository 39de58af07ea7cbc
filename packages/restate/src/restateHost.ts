import { type Agent, type Host, isAgentError, localHost } from '@interleave/core'
import { demand } from '@interleave/core/place'
import { createInbox } from './createInbox.ts'
import type { SegmentLimits } from './createSegment.ts'
import { type InboxObject, inboxObject } from './inboxObject.ts'
import { createIngress, type Ingress, type IngressOptions } from './ingress.ts'
import type { LiveHub } from './liveHub.ts'
import { type LogObject, logObject } from './logObject.ts'
import { type PagesObject, pagesObject } from './pagesObject.ts'
import { journalOn } from './restateJournal.ts'
import type { RestateSdk } from './sdk.ts'
import { serviceNames } from './serviceNames.ts'
import { tellLive } from './tellLive.ts'
import { type Worked, type WorkObject, workObject } from './workObject.ts'
import { workOn } from './workOn.ts'

export interface RestateHostOptions extends IngressOptions {
  /** Restate's SDK, as it fits the place that the handlers run in. */
  sdk: RestateSdk
  agents: readonly Agent[]
  /** Stands before the names of the services; "interleave" by default. */
  name?: string
  segment?: Partial<SegmentLimits>
  /** Milliseconds that a call of a tool or a model may take at most; 600,000 by default. */
  longestEffectMs?: number
  /** Hears what is not kept, such as the words of a turn as they come. Not awaited. */
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
  sdk,
  agents,
  name = 'interleave',
  segment = {},
  longestEffectMs = 600_000,
  onLive,
  onFault,
  host = localHost,
  ...options
}: RestateHostOptions): { readonly services: RestateServices } {
  demand(options.ingress, 'restateHost({ ingress }) needs the address of Restate, such as "http://localhost:8080".')
  const byName = new Map(agents.map((agent) => [agent.name, agent]))
  demand(byName.size === agents.length, 'Two agents of a restateHost() have the same name. Rename one of them.')
  const limits: SegmentLimits = { turns: 200, ms: 600_000, lingerMs: 5_000, ...segment }
  const names = serviceNames(name)
  const ingress = createIngress({ ...options, host, patience: Number.POSITIVE_INFINITY })
  const work = async (runId: string, abortSignal: AbortSignal): Promise<Worked> => {
    const ask: Ingress = (call) =>
      ingress({ ...call, signal: call.signal ? AbortSignal.any([call.signal, abortSignal]) : abortSignal })
    try {
      return await workOn(runId, {
        ...{ agents: byName, limits, host, abortSignal },
        journal: journalOn(ask, { names, host }),
        inbox: createInbox(ask, { names, runId }),
        observers: onLive ? [tellLive((told) => onLive(runId, told))] : [],
      })
    } catch (error) {
      if (!abortSignal.aborted) onFault?.(runId, error)
      if (isAgentError(error) && error.code === 'agent_mismatch') return 'later'
      throw error
    }
  }
  const longestMs = limits.ms + longestEffectMs
  return {
    services: [
      logObject(sdk, names),
      pagesObject(sdk, names),
      inboxObject(sdk, names),
      workObject(sdk, { names, work, longestMs }),
    ],
  }
}

/** What is served to Restate: `createEndpointHandler({ services })`. */
export type RestateServices = [LogObject, PagesObject, InboxObject, WorkObject]
