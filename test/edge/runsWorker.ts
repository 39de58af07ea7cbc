import { type DurableContext, type DurableNamespace, runObject, serveRuns, userObject } from '@interleave/cloudflare'
import { agent, choice, tool } from '@interleave/core'
import type { PermissionStore } from '@interleave/core/journal'
import type { Permission } from '@interleave/core/observe'
import { clientTool } from '@interleave/server'
import { z } from 'zod'
import { worldModel } from './worldModel.ts'

interface Env {
  readonly RUNS: DurableNamespace
  readonly USERS: DurableNamespace
  /** The address of the model, and of the world in which tools act. */
  readonly WORLD: string
  readonly WATCH_MS?: string
  /** JSON. */
  readonly LIMITS?: string
}

const limitsOf = ({ LIMITS = '{}' }: Env): object => ({
  ...{ runs: 600, streams: 600, requests: 1_000_000, heartbeatMs: 200 },
  ...JSON.parse(LIMITS),
})

const makeAgents = (world: string) => {
  const did = async (name: string, item: number, key: string): Promise<string> =>
    (await fetch(`${world}/deed`, { method: 'POST', body: JSON.stringify({ name, item, key }) })).text()
  const deed = (effect: 'readOnly' | 'idempotent' | 'atMostOnce') => (name: string) =>
    tool({
      inputSchema: z.object({ item: z.number() }),
      effect,
      execute: ({ item }, { idempotencyKey }) => did(name, item, idempotencyKey),
    })
  return [
    agent({
      name: 'doer',
      model: worldModel(world),
      tools: {
        look: deed('readOnly')('look'),
        charge: deed('idempotent')('charge'),
        book: deed('atMostOnce')('book'),
        choose: tool({
          inputSchema: z.object({ item: z.number() }),
          effect: 'idempotent',
          execute: async ({ item }, { ask, idempotencyKey }) => {
            const seat = await ask(choice({ prompt: `Seat for ${item}?`, options: ['window', 'aisle'] }))
            return `${seat}, ${await did('choose', item, idempotencyKey)}`
          },
        }),
        mark: clientTool({ inputSchema: z.object({ item: z.number() }), effect: 'idempotent' }),
      },
    }),
  ]
}

let made: ReturnType<typeof makeAgents> | undefined
/** Made once for all objects of the process: an agent is a template, and its schemas take their time to compile. */
const agents = (world: string): ReturnType<typeof makeAgents> => (made ??= makeAgents(world))

/** The users who took their permission back. */
const takenBack = new Set<string>()
/** Returns a store in which each user has allowed one tool for good. */
const permissionStore = (user: string): PermissionStore => {
  const ask = {
    kind: 'approval',
    id: '1/tool/0/approval',
    tool: 'book',
    input: {},
    schema: {},
    prompt: 'Book?',
  } as const
  const allowed: Permission = { id: `${encodeURIComponent(user)}/run/1`, scope: 'tool', ask, input: {}, at: 1 }
  return {
    list: async (agent) => (agent === 'doer' && !takenBack.has(user) ? [allowed] : []),
    add: async () => {},
    remove: async (_, id) => void (id === allowed.id && takenBack.add(user)),
  }
}

/** A context whose storage refuses to write while it is full, with the error of SQLite. */
const boundedContext = (ctx: DurableContext, isFull: () => boolean): DurableContext => ({
  acceptWebSocket: (socket) => ctx.acceptWebSocket(socket),
  getWebSockets: () => ctx.getWebSockets(),
  storage: {
    sql: ctx.storage.sql,
    sync: () => ctx.storage.sync(),
    setAlarm: (time) => ctx.storage.setAlarm(time),
    deleteAlarm: () => ctx.storage.deleteAlarm(),
    transactionSync(work) {
      if (isFull()) throw new Error('database or disk is full: SQLITE_FULL')
      return ctx.storage.transactionSync(work)
    },
  },
})

export class RunObject {
  constructor(ctx: DurableContext & { abort(reason: string): void }, env: Env) {
    let isFull = false
    const methods = runObject(
      boundedContext(ctx, () => isFull),
      {
        agents: agents(env.WORLD),
        secret: 'a secret for tests only, of 32 bytes and more',
        users: env.USERS,
        limits: limitsOf(env),
        watchMs: Number(env.WATCH_MS ?? 500),
      },
    )
    const life = crypto.randomUUID()
    Object.assign(this, methods, {
      fetch(request: Request): Promise<Response> | Response {
        const { pathname } = new URL(request.url)
        if (pathname === '/test/full' || pathname === '/test/room') {
          isFull = pathname === '/test/full'
          return new Response()
        }
        if (pathname === '/test/abort') ctx.abort('The test ends this object.')
        return pathname === '/test/life' ? new Response(life) : methods.fetch(request)
      },
    })
  }
}

export class UserObject {
  constructor(ctx: DurableContext, env: Env) {
    Object.assign(this, userObject(ctx, { runs: env.RUNS, limits: limitsOf(env) }))
  }
}

export default {
  fetch(request: Request, env: Env): Promise<Response> {
    const { RUNS, USERS } = env
    const { pathname, searchParams } = new URL(request.url)
    if (pathname.startsWith('/test/')) return RUNS.get(RUNS.idFromName(searchParams.get('name') ?? '')).fetch(request)
    const authorize = ({ headers }: Request): string | undefined => headers.get('authorization') ?? undefined
    return serveRuns({ permissionStore, runs: RUNS, users: USERS, authorize, limits: limitsOf(env) })(request)
  },
}
