import { type DurableContext, personObject } from '@interleave/cloudflare'
import type { Env } from './Env.ts'
import { limits } from './limits.ts'

/** One person: the list of their runs, and how much they may ask for. Cloudflare asks for a class; what it does is in `personObject`. */
export class PersonObject {
  constructor(ctx: DurableContext, { RUNS }: Env) {
    Object.assign(this, personObject(ctx, { runs: RUNS, limits }))
  }
}
