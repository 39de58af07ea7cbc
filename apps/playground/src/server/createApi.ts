import { DatabaseSync } from 'node:sqlite'
import { type Host, localHost } from '@interleave/core'
import { createHandler, type Handler } from '@interleave/server'
import { sqliteJournal } from '@interleave/server/node'
import type { Payer } from '../bank/Bank.ts'
import { killPath } from '../kill/Kill.ts'
import { isRestarted } from './killable.ts'
import { type Environment, modelOf } from './modelOf.ts'
import { principalOf } from './principalOf.ts'
import { servedAgents } from './servedAgents.ts'
import { sqliteBank } from './sqliteBank.ts'

export interface ApiOptions {
  /** The file that runs are kept in, or `:memory:`. */
  readonly runs: string
  /** The file of the bank's ledger, or `:memory:`. */
  readonly ledger: string
  readonly env: Environment
}

/** The HTTP API of the playground: the agents of the page, whose runs outlive the page and the server. */
export function createApi({ runs, ledger, env }: ApiOptions): Handler {
  const journal = sqliteJournal(new DatabaseSync(runs))
  const bank = sqliteBank(new DatabaseSync(ledger))
  const handle = createHandler({
    agents: servedAgents({ model: modelOf(env), journal, bank }),
    journal,
    authorize: principalOf,
    // A restart makes old signatures invalid, and clients ask for new ones.
    secret: crypto.randomUUID() + crypto.randomUUID(),
    // Only this process opens the file.
    host: { ...localHost, timer },
  })
  return describedWith(withLedger(handle, bank), {
    servers: [here, ...(env.RESTATE_INGRESS ? [onRestate] : [])],
    'x-llm-proxy': '/llm',
    'x-ledger': '/v1/ledger',
    ...(isRestarted() && { 'x-kill': killPath }),
  })
}

const here = { url: '/api', description: 'Runs work in this server.' }
const onRestate = { url: '/restate', description: 'Runs work on Restate.' }

/** Open timers do not keep the process alive. */
const timer: Host['timer'] = (ms, callback) => {
  const waiting = setTimeout(callback, Math.min(ms, 2_147_483_647))
  waiting.unref()
  return () => clearTimeout(waiting)
}

interface Described {
  /** Servers that answer the same requests, for runs on other hosts. */
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  /** The path at which this server forwards requests to models. */
  readonly 'x-llm-proxy'?: string
  /** The path of the payments of a run. */
  readonly 'x-ledger'?: string
  /** The path at which the page can kill this server. */
  readonly 'x-kill'?: string
}

/** A handler that also shows users the payments of their runs. */
const withLedger =
  (handle: Handler, bank: Payer): Handler =>
  async (request) => {
    const [, id] = /\/v1\/ledger\/([\w-]{1,200})$/.exec(new URL(request.url).pathname) ?? []
    if (id === undefined || request.method !== 'GET') return handle(request)
    const principal = await principalOf(request)
    if (principal === undefined) return new Response(undefined, { status: 401 })
    // A server knows a run by its user's name and its id.
    return Response.json(await bank.paymentsOf(`${principal}/${id}`))
  }

/** A handler that says more in its description. */
const describedWith =
  (handle: Handler, more: Described): Handler =>
  async (request) => {
    const response = await handle(request)
    if (!response.ok || !new URL(request.url).pathname.endsWith('/v1/openapi.json')) return response
    const { status, headers } = response
    return new Response(JSON.stringify({ ...(await response.json()), ...more }), { status, headers })
  }
