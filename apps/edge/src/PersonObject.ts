import { type DurableContext, type PersonBehaviour, personObject } from '@interleave/core/durable-object'
import type { Env } from './Env.ts'
import { limits } from './limits.ts'

/** One person: the list of their runs, and how much they may ask for. */
export class PersonObject implements PersonBehaviour {
  readonly #person: PersonBehaviour

  constructor(ctx: DurableContext, { RUNS }: Env) {
    this.#person = personObject(ctx, { runs: RUNS, limits })
  }
  fetch(request: Request): Promise<Response> {
    return this.#person.fetch(request)
  }
  webSocketMessage(): void {}
  webSocketClose(): void {}
  webSocketError(): void {}
}
