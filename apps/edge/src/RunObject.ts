import { type DurableContext, runObject, sqlJournal } from '@interleave/core/durable-object'
import { servedAgents } from '../../playground/src/server/servedAgents.ts'
import type { Env } from './Env.ts'
import { limits } from './limits.ts'
import { modelOf } from './modelOf.ts'

/** One run. Its agents are those of the page, made of the same files. */
export class RunObject {
  constructor(ctx: DurableContext, env: Env) {
    const agents = servedAgents({ model: modelOf(env), journal: sqlJournal(ctx.storage) })
    Object.assign(this, runObject(ctx, { agents, secret: env.SECRET, people: env.PEOPLE, limits }))
  }
}
