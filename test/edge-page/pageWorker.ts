import {
  type DurableContext,
  type DurableNamespace,
  type DurableSocket,
  type RunObjectMethods,
  runObject,
  serveRuns,
  type UserObjectMethods,
  userObject,
} from '@interleave/cloudflare'
import { agent, choice, tool } from '@interleave/core'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { z } from 'zod'
import { pacedModel } from './pacedModel.ts'

interface Env {
  readonly RUNS: DurableNamespace
  readonly USERS: DurableNamespace
}

/** The page as a script, which stands before this module. */
declare const pageScript: string

const limits = { runs: 100, streams: 100, requests: 1_000_000, heartbeatMs: 200 }

const choose = tool({
  inputSchema: z.object({}),
  effect: 'readOnly',
  execute: (_, { ask }) => ask(choice({ prompt: 'Which seat?', options: ['window', 'aisle'] })),
})
const agents = [
  agent({ name: 'writer', model: pacedModel() }),
  agent({
    name: 'asker',
    model: { ...scriptedModel(), doStream: (call) => scriptedModel(turnOf(call.prompt.at(-1)?.role)).doStream(call) },
    tools: { choose },
  }),
]
const turnOf = (last = ''): ScriptedTurn => (last === 'user' ? { calls: [{ name: 'choose', input: {} }] } : 'Taken.')

export class RunObject {
  readonly #run: RunObjectMethods
  constructor(ctx: DurableContext, { USERS }: Env) {
    const secret = 'a secret for tests only, of 32 bytes and more'
    this.#run = runObject(ctx, { agents, secret, users: USERS, limits, watchMs: 200 })
  }
  fetch = (request: Request): Promise<Response> => this.#run.fetch(request)
  alarm = (): Promise<void> => this.#run.alarm()
  webSocketMessage(): void {}
  webSocketClose(socket: DurableSocket): void {
    this.#run.webSocketClose(socket)
  }
}

export class UserObject {
  readonly #user: UserObjectMethods
  constructor(ctx: DurableContext, { RUNS }: Env) {
    this.#user = userObject(ctx, { runs: RUNS, limits })
  }
  fetch = (request: Request): Promise<Response> => this.#user.fetch(request)
  webSocketMessage(): void {}
  webSocketClose(): void {}
}

export default {
  async fetch(request: Request, { RUNS, USERS }: Env): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === '/')
      return text('<!doctype html><title>A run</title><script type="module" src="/page.js"></script>', 'html')
    if (pathname === '/page.js') return text(pageScript, 'javascript')
    const authorize = ({ headers }: Request): string | undefined => headers.get('authorization') ?? undefined
    return serveRuns({ runs: RUNS, users: USERS, authorize, limits })(request)
  },
}

const text = (body: string, type: string): Response =>
  new Response(body, { headers: { 'content-type': `text/${type}; charset=utf-8` } })
