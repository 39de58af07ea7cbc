import { type DurableContext, runObject } from '@interleave/cloudflare'
import { agentsOf } from './agentsOf.ts'
import type { Env } from './Env.ts'
import { limits } from './limits.ts'

/** One run. Its agents are those of the page, made of the same files. */
export class RunObject {
  constructor(ctx: DurableContext, env: Env) {
    Object.assign(this, runObject(ctx, { agents: agentsOf(env), secret: env.SECRET, users: env.USERS, limits }))
  }
}
