import {
  type DurableContext,
  type DurableNamespace,
  type RunObjectMethods,
  runObject,
  serveRuns,
  type UserObjectMethods,
  userObject,
} from '@interleave/cloudflare'
import { runSuiteAgents } from '@interleave/test-kit/run/suiteAgents'

interface Env {
  readonly RUNS: DurableNamespace
  readonly USERS: DurableNamespace
}

const secret = 'a secret for tests only, of 32 bytes and more'
const limits = { requests: 1_000_000, heartbeatMs: 200 }
let made: ReturnType<typeof runSuiteAgents> | undefined
/** Made once for all objects of the process. */
const agents = (): ReturnType<typeof runSuiteAgents> => (made ??= runSuiteAgents())

export class RunObject {
  readonly #methods: RunObjectMethods
  constructor(ctx: DurableContext, { USERS: users }: Env) {
    this.#methods = runObject(ctx, { agents: agents(), secret, users, limits })
  }
  fetch = (request: Request): Promise<Response> | Response => this.#methods.fetch(request)
  alarm = (): Promise<void> => this.#methods.alarm()
  webSocketMessage(): void {}
  webSocketClose(socket: never): void {
    this.#methods.webSocketClose(socket)
  }
}

export class UserObject {
  readonly #methods: UserObjectMethods
  constructor(ctx: DurableContext, { RUNS: runs }: Env) {
    this.#methods = userObject(ctx, { runs, limits })
  }
  fetch = (request: Request): Promise<Response> => this.#methods.fetch(request)
  webSocketMessage(): void {}
  webSocketClose(): void {}
}

export default {
  fetch(request: Request, { RUNS: runs, USERS: users }: Env): Promise<Response> {
    const authorize = ({ headers }: Request): string | undefined => headers.get('authorization') ?? undefined
    return serveRuns({ runs, users, authorize, limits })(request)
  },
}
