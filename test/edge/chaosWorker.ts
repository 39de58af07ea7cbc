import {
  type DurableContext,
  type DurableNamespace,
  type RunObjectMethods,
  runObject,
  serveRuns,
  userObject,
} from '@interleave/cloudflare'
import type { Agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { type LifeParts, mutants } from '@interleave/test-kit/chaos/mutants'
import { shopAgent } from '@interleave/test-kit/chaos/shopAgent'

interface Env {
  readonly RUNS: DurableNamespace
  readonly USERS: DurableNamespace
  /** The address of the shop. */
  readonly SHOP: string
  readonly WATCH_MS: string
  /** The rule that it breaks; none if it is empty. */
  readonly RULE: string
}

const limits = { runs: 600, streams: 600, requests: 1_000_000, heartbeatMs: 200 }

/** The shop's agent, broken or not. Its journal is the one that it is given, or what is made of that. */
function openShopper({ SHOP: url, RULE }: Env, ended: Promise<void>): Agent {
  const mutant = mutants.find(({ rule }) => rule === RULE)
  const partsWith = (journal: LifeParts['journal']): LifeParts => {
    const sound = { journal, agent: {}, ended }
    return mutant?.breaks(sound) ?? sound
  }
  const { agent } = partsWith(memoryJournal())
  const { keyOf = (key) => key } = agent
  // A run is kept under its person's name, which a journal that is asked as that person leaves out.
  const shopper = shopAgent({ url, ...agent, keyOf: (key) => keyOf(key.slice(key.indexOf('/') + 1)) })
  const change = <Options extends { journal?: LifeParts['journal'] }>(options: Options = {} as Options): Options => ({
    ...options,
    ...(options.journal && { journal: partsWith(options.journal).journal }),
  })
  return {
    ...shopper,
    start: (input, options) => shopper.start(input, change(options)),
    resume: (from, options) => shopper.resume(from, change(options)),
  }
}

export class RunObject {
  constructor(ctx: DurableContext & { abort(reason: string): void }, env: Env) {
    let end = (): void => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const methods: RunObjectMethods = runObject(ctx, {
      agents: [openShopper(env, ended)],
      secret: 'a secret for tests only, of 32 bytes and more',
      users: env.USERS,
      limits,
      watchMs: Number(env.WATCH_MS),
    })
    Object.assign(this, methods, {
      async fetch(request: Request): Promise<Response> {
        const { pathname, searchParams } = new URL(request.url)
        if (pathname !== '/test/abort') return methods.fetch(request)
        end()
        await new Promise((resolve) => setTimeout(resolve, Number(searchParams.get('last'))))
        ctx.abort('The test ends this object.')
        return new Response()
      },
    })
  }
}

export class UserObject {
  constructor(ctx: DurableContext, { RUNS: runs }: Env) {
    Object.assign(this, userObject(ctx, { runs, limits }))
  }
}

export default {
  fetch(request: Request, { RUNS: runs, USERS: users }: Env): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/test/abort') return runs.get(runs.idFromName(searchParams.get('name') ?? '')).fetch(request)
    const authorize = ({ headers }: Request): string | undefined => headers.get('authorization') ?? undefined
    return serveRuns({ runs, users, authorize, limits })(request)
  },
}
