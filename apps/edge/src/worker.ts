import { type DurableContext, runObject, serveRuns, userObject } from '@interleave/cloudflare'
import type { HandlerLimits } from '@interleave/server'
import { principalOf } from '../../playground/src/server/principalOf.ts'
import { agentsOf, type Env } from './agents.ts'

/** For each visitor. Everybody may come, so they are lower than usual. */
const limits: Partial<HandlerLimits> = { requests: 300, runs: 5, streams: 10 }

/** One run. Its agents are those of the page, made of the same files. */
export class RunObject {
  constructor(ctx: DurableContext, env: Env) {
    Object.assign(this, runObject(ctx, { agents: agentsOf(env), secret: env.SECRET, users: env.USERS, limits }))
  }
}

/** One user: the list of their runs, and how much they may ask for. Cloudflare asks for a class; what it does is in `userObject`. */
export class UserObject {
  constructor(ctx: DurableContext, { RUNS }: Env) {
    Object.assign(this, userObject(ctx, { runs: RUNS, limits }))
  }
}

/** The API of the page's runs under /api; all else are the files of the page. */
export default {
  fetch(request: Request, env: Env): Promise<Response> {
    if (!new URL(request.url).pathname.startsWith('/api/')) return env.ASSETS.fetch(request)
    // Visitors are known by the access code of their page. For users who sign in, look at what their session says instead.
    return serveRuns({ runs: env.RUNS, users: env.USERS, authorize: principalOf, limits })(request)
  },
}
