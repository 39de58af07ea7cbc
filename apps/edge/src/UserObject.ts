import { type DurableContext, userObject } from '@interleave/cloudflare'
import type { Env } from './Env.ts'
import { limits } from './limits.ts'

/** One user: the list of their runs, and how much they may ask for. Cloudflare asks for a class; what it does is in `userObject`. */
export class UserObject {
  constructor(ctx: DurableContext, { RUNS }: Env) {
    Object.assign(this, userObject(ctx, { runs: RUNS, limits }))
  }
}
