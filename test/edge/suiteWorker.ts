import {
  type DurableBehaviour,
  type DurableContext,
  type DurableNamespace,
  type PersonBehaviour,
  personObject,
  runObject,
  serveRuns,
} from '@interleave/cloudflare'
import { runSuiteAgents } from '@interleave/test-kit/run/suiteAgents'

interface Env {
  readonly RUNS: DurableNamespace
  readonly PEOPLE: DurableNamespace
}

const secret = 'a secret for tests only, of 32 bytes and more'
const limits = { requests: 1_000_000, heartbeatMs: 200 }
let made: ReturnType<typeof runSuiteAgents> | undefined
/** Made once for all objects of the process. */
const agents = (): ReturnType<typeof runSuiteAgents> => (made ??= runSuiteAgents())

export class RunObject {
  readonly #behaviour: DurableBehaviour
  constructor(ctx: DurableContext, { PEOPLE: people }: Env) {
    this.#behaviour = runObject(ctx, { agents: agents(), secret, people, limits })
  }
  fetch = (request: Request): Promise<Response> | Response => this.#behaviour.fetch(request)
  alarm = (): Promise<void> => this.#behaviour.alarm()
  webSocketMessage(): void {}
  webSocketClose(socket: never): void {
    this.#behaviour.webSocketClose(socket)
  }
}

export class PersonObject {
  readonly #behaviour: PersonBehaviour
  constructor(ctx: DurableContext, { RUNS: runs }: Env) {
    this.#behaviour = personObject(ctx, { runs, limits })
  }
  fetch = (request: Request): Promise<Response> => this.#behaviour.fetch(request)
  webSocketMessage(): void {}
  webSocketClose(): void {}
}

export default {
  fetch(request: Request, { RUNS: runs, PEOPLE: people }: Env): Promise<Response> {
    const authorize = ({ headers }: Request): string | undefined => headers.get('authorization') ?? undefined
    return serveRuns({ runs, people, authorize, limits })(request)
  },
}
