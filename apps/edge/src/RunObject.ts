import {
  type DurableBehaviour,
  type DurableContext,
  type DurableSocket,
  runObject,
  sqlJournal,
} from '@interleave/core/durable-object'
import { servedAgents } from '../../playground/src/server/servedAgents.ts'
import type { Env } from './Env.ts'
import { limits } from './limits.ts'
import { modelOf } from './modelOf.ts'

/** One run. Cloudflare asks for a class; all that it does is in `runObject`. */
export class RunObject implements DurableBehaviour {
  readonly #run: DurableBehaviour

  constructor(ctx: DurableContext, env: Env) {
    this.#run = runObject(ctx, {
      agents: servedAgents({ model: modelOf(env), journal: sqlJournal(ctx.storage) }),
      secret: env.SECRET,
      people: env.PEOPLE,
      limits,
    })
  }
  fetch(request: Request): Promise<Response> {
    return this.#run.fetch(request)
  }
  alarm(): Promise<void> {
    return this.#run.alarm()
  }
  webSocketMessage(): void {}
  webSocketClose(socket: DurableSocket): void {
    this.#run.webSocketClose(socket)
  }
  webSocketError(socket: DurableSocket): void {
    this.#run.webSocketError(socket)
  }
}
