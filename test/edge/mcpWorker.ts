import { type DurableContext, type DurableNamespace, runObject, serveRuns, userObject } from '@interleave/cloudflare'
import { mcpClient, mcpTools } from '@interleave/mcp'
import { caller } from '../../packages/mcp/src/testing/agents.ts'

interface Env {
  readonly RUNS: DurableNamespace
  readonly USERS: DurableNamespace
  /** The address of an MCP server. */
  readonly SHOP: string
}

/** The Durable Object of one run. */
export class RunObject {
  constructor(ctx: DurableContext, { USERS, SHOP }: Env) {
    const agents = [caller(mcpTools(mcpClient({ url: SHOP })), 'pay', { amount: 5 })]
    Object.assign(this, runObject(ctx, { agents, secret: 'a secret of at least 32 bytes, for tests', users: USERS }))
  }
}

/** The Durable Object of one user. */
export class UserObject {
  constructor(ctx: DurableContext, { RUNS }: Env) {
    Object.assign(this, userObject(ctx, { runs: RUNS }))
  }
}

export default {
  fetch: (request: Request, { RUNS, USERS }: Env): Promise<Response> =>
    serveRuns({ runs: RUNS, users: USERS, authorize: () => 'ada' })(request),
}
