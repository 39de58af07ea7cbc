import { type DurableContext, type DurableNamespace, runObject, serveRuns, userObject } from '@interleave/cloudflare'
import { waiter } from './waiter.ts'

interface Env {
  readonly RUNS: DurableNamespace
  readonly USERS: DurableNamespace
  /** Locally it is in .dev.vars. Before you deploy: `openssl rand -hex 32 | npx wrangler secret put SECRET` */
  readonly SECRET: string
}

/** One run, with its log in its own SQLite. */
export class RunObject {
  constructor(ctx: DurableContext, env: Env) {
    Object.assign(this, runObject(ctx, { agents: [waiter], secret: env.SECRET, users: env.USERS }))
  }
}

/** One user: the list of their runs, and their limits. */
export class UserObject {
  constructor(ctx: DurableContext, env: Env) {
    Object.assign(this, userObject(ctx, { runs: env.RUNS }))
  }
}

export default {
  fetch(request: Request, env: Env): Promise<Response> {
    // Each browser is a user of its own. Put your sign-in here.
    const authorize = ({ headers }: Request) => headers.get('authorization') ?? undefined
    return serveRuns({ runs: env.RUNS, users: env.USERS, authorize })(request)
  },
}
