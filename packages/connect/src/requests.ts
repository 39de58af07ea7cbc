import type { AgentError } from '@interleave/core'
import { fromFailure } from '@interleave/core/internal'
import type { Reply } from './hostMessage.ts'
import type { Request } from './pageMessage.ts'

/** The pending requests of this page to the worker. */
export interface Requests {
  /** Resolves with how long the log was when it was done. */
  send(request: NewRequest): Promise<number>
  hear(reply: Reply): void
  /** Nobody waits any more for what was asked about one run. */
  rejectOf(run: string, error: AgentError): void
  rejectAll(error: AgentError): void
}

export type NewRequest = Request extends infer R ? (R extends Request ? Omit<R, 'id'> : never) : never

interface Waiting {
  readonly run: string
  resolve(length: number): void
  reject(error: AgentError): void
}

export function createRequests(newId: () => string, post: (request: Request) => void): Requests {
  const open = new Map<string, Waiting>()
  const take = (id: string): Waiting | undefined => {
    const waiting = open.get(id)
    open.delete(id)
    return waiting
  }
  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        const id = newId()
        open.set(id, { run: request.run, resolve, reject })
        post({ ...request, id })
      }),
    hear(reply) {
      const waiting = take(reply.id)
      if (reply.type === 'done') waiting?.resolve(reply.length)
      else waiting?.reject(fromFailure(reply.failure))
    },
    rejectOf(run, error) {
      for (const [id, waiting] of [...open]) if (waiting.run === run) take(id)?.reject(error)
    },
    rejectAll(error) {
      for (const id of [...open.keys()]) take(id)?.reject(error)
    },
  }
}
