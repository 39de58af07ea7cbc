import type { Host } from '@interleave/core'
import type { HandlerLimits, HandlerOptions } from '@interleave/server'
import { answerWithEvents, type Routed } from '@interleave/server/internal'
import { askObject, inner } from './askObject.ts'
import { type DurableNamespace, socketOf } from './durableContext.ts'
import { EventRelay, type Position } from './relayEvents.ts'

/** An authorized request, with the objects and options that its handler needs. */
export interface FrontContext extends Omit<Routed, 'route' | 'id'> {
  readonly host: Host
  readonly runs: DurableNamespace
  readonly users: DurableNamespace
  readonly limits: HandlerLimits
  readonly permissionStore: HandlerOptions['permissionStore']
  /** The run, as its owner names it. */
  readonly runId: string
  /** The object of the run. */
  readonly runName: string
}

/** Streams a run as server-sent events, without keeping the run's object in memory while the run is paused. */
export async function streamFromObject(context: FrontContext): Promise<Response> {
  const { request, url, host, limits, names, users, runs, runName, principal, runId } = context
  const last = request.headers.get('last-event-id')
  const params = url.searchParams
  const ask = (path: string, query: Record<string, string>, headers: Record<string, string> = {}) =>
    askObject(runs, { name: runName, principal, path: `${path}?${new URLSearchParams(query)}`, headers })

  const client = clientIn(url)
  const eventsPath = `/v1/runs/${encodeURIComponent(runId)}/events`
  if (params.get('wait') === 'false') {
    return ask(
      eventsPath,
      pick(params, ['from', 'at', 'client', 'tools', 'wait']),
      last ? { 'last-event-id': last } : {},
    )
  }
  const firstQuery = { ...pick(params, ['from', 'at', 'client', 'tools']), follow: 'false' }
  const slot = await askObject(users, { name: names.owner, principal, path: inner.stream, headers: upgrade })
  const slotSocket = socketOf(slot)
  if (!slotSocket) return slot
  slotSocket.accept()
  const first = await ask(eventsPath, firstQuery, last ? { 'last-event-id': last } : {}).catch((error) => {
    slotSocket.close()
    throw error
  })
  if (!first.ok || !first.body) {
    slotSocket.close()
    return first
  }
  const relay = new EventRelay(first.body, startOf(last, params), {
    host,
    heartbeatMs: limits.heartbeatMs,
    follows: params.get('follow') !== 'false',
    async openEvents(from) {
      const { ok, body } = await ask(eventsPath, { ...client, ...queryOf(from), follow: 'false' })
      if (!ok || !body) throw new Error("The run's object did not return the events.")
      return body
    },
    async openWakeSocket(from) {
      const query = { ...client, run: runId, ...queryOf(from) }
      const socket = socketOf(await ask(inner.wake, query, upgrade))
      if (!socket) throw new Error("The run's object did not open a WebSocket.")
      return socket
    },
  })
  const onEnd = (): void => {
    relay.close()
    slotSocket.close()
  }
  const { streamMs: lastsMs } = limits
  return answerWithEvents(relay.texts, { host, lastsMs, signal: request.signal, onEnd, headers: first.headers })
}

const upgrade = { upgrade: 'websocket' }

/** Returns the parameters of a client that runs tools. */
export const clientIn = ({ searchParams }: URL): Record<string, string> => pick(searchParams, ['client', 'tools'])

const pick = (query: URLSearchParams, names: readonly string[]): Record<string, string> =>
  Object.fromEntries([...query].filter(([name]) => names.includes(name)))

const queryOf = ({ next, at }: Position): Record<string, string> => ({
  from: String(next),
  ...(at !== undefined && { at: String(at) }),
})

const startOf = (last: string | null, params: URLSearchParams): Position => ({
  next: last ? Number(last) + 1 : Number(params.get('from') ?? 0),
  at: undefined,
})
