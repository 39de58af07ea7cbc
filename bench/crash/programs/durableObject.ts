import { type DurableContext, type DurableNamespace, runObject, serveRuns, userObject } from '@interleave/cloudflare'
import { payers } from './payer.ts'

interface Env {
  readonly RUNS: DurableNamespace
  readonly USERS: DurableNamespace
  readonly SECRET: string
  /** The address of the world. */
  readonly WORLD: string
}

export class RunObject {
  constructor(ctx: DurableContext, { USERS: users, SECRET: secret, WORLD }: Env) {
    Object.assign(this, runObject(ctx, { agents: payers(WORLD), secret, users }))
  }
}

export class UserObject {
  constructor(ctx: DurableContext, { RUNS: runs }: Env) {
    Object.assign(this, userObject(ctx, { runs }))
  }
}

export default {
  fetch(request: Request, { RUNS: runs, USERS: users }: Env): Promise<Response> {
    const authorize = ({ headers }: Request): string | undefined => headers.get('authorization') ?? undefined
    return serveRuns({ runs, users, authorize })(request)
  },
}
