import { type DurableContext, type DurableNamespace, personObject, runObject, serveRuns } from '@interleave/cloudflare'
import { payers } from './payer.ts'

interface Env {
  readonly RUNS: DurableNamespace
  readonly PEOPLE: DurableNamespace
  readonly SECRET: string
  /** The address of the world. */
  readonly WORLD: string
}

export class RunObject {
  constructor(ctx: DurableContext, { PEOPLE: people, SECRET: secret, WORLD }: Env) {
    Object.assign(this, runObject(ctx, { agents: payers(WORLD), secret, people }))
  }
}

export class PersonObject {
  constructor(ctx: DurableContext, { RUNS: runs }: Env) {
    Object.assign(this, personObject(ctx, { runs }))
  }
}

export default {
  fetch(request: Request, { RUNS: runs, PEOPLE: people }: Env): Promise<Response> {
    const authorize = ({ headers }: Request): string | undefined => headers.get('authorization') ?? undefined
    return serveRuns({ runs, people, authorize })(request)
  },
}
