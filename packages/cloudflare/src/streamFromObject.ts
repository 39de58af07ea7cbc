import type { Host } from '@interleave/core'
import type { HandlerLimits, HandlerOptions } from '@interleave/server'
import { answerWithEvents, type Routed } from '@interleave/server/internal'
import { askObject, inner } from './askObject.ts'
import { type DurableNamespace, socketOf } from './durableContext.ts'
import { EventRelay, type ReadTo } from './relayEvents.ts'

/** An authorized request, and what answers it. */
export interface FrontVisit extends Omit<Routed, 'route' | 'id'> {
  readonly host: Host
  readonly runs: DurableNamespace
  readonly users: DurableNamespace
  readonly limits: HandlerLimits
  readonly allowStore: HandlerOptions['allowStore']
  /** The run, as its owner names it. */
  readonly runId: string
  /** The object of the run. */
  readonly runName: string
}

/** Streams a run as server-sent events, without keeping the run's object in memory while the run is paused. */
export async function streamFromObject(visit: FrontVisit): Promise<Response> {
  const { request, url, host, limits, names, users, runs, runName, principal, runId } = visit
  const last = request.headers.get('last-event-id')
  const asked = url.searchParams
  const ask = (path: string, query: Record<string, string>, headers: Record<string, string> = {}) =>
    askObject(runs, { name: runName, principal, path: `${path}?${new URLSearchParams(query)}`, headers })

  const client = pick(asked, ['client', 'tools'])
  const eventsPath = `/v1/runs/${encodeURIComponent(runId)}/events`
  const given = { ...pick(asked, ['from', 'at', 'client', 'tools']), follow: 'false' }
  const slot = await askObject(users, { name: names.owner, principal, path: inner.stream, headers: upgrade })
  const counted = socketOf(slot)
  if (!counted) return slot
  counted.accept()
  const first = await ask(eventsPath, given, last ? { 'last-event-id': last } : {}).catch((error) => {
    counted.close()
    throw error
  })
  if (!first.ok || !first.body) {
    counted.close()
    return first
  }
  const relay = new EventRelay(first.body, beginOf(last, asked), {
    host,
    heartbeatMs: limits.heartbeatMs,
    follows: asked.get('follow') !== 'false',
    async openEvents(from) {
      const { ok, body } = await ask(eventsPath, { ...client, ...queryOf(from), follow: 'false' })
      if (!ok || !body) throw new Error('The run tells nothing.')
      return body
    },
    async openWakeSocket(from) {
      const query = { ...client, run: runId, ...queryOf(from) }
      const socket = socketOf(await ask(inner.wake, query, upgrade))
      if (!socket) throw new Error('The run gives no WebSocket.')
      return socket
    },
  })
  const onEnd = (): void => {
    relay.close()
    counted.close()
  }
  const { streamMs: lastsMs } = limits
  return answerWithEvents(relay.texts, { host, lastsMs, signal: request.signal, onEnd, headers: first.headers })
}

const upgrade = { upgrade: 'websocket' }

const pick = (query: URLSearchParams, names: readonly string[]): Record<string, string> =>
  Object.fromEntries([...query].filter(([name]) => names.includes(name)))

const queryOf = ({ next, at }: ReadTo): Record<string, string> => ({
  from: String(next),
  ...(at !== undefined && { at: String(at) }),
})

const beginOf = (last: string | null, asked: URLSearchParams): ReadTo => ({
  next: last ? Number(last) + 1 : Number(asked.get('from') ?? 0),
  at: undefined,
})
