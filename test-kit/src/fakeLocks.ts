import type { Origin } from '@interleave/connect/tabs'
import type { Client } from './fakeChannels.ts'

interface Request {
  readonly client: Client
  readonly callback: (lock: unknown) => unknown
  resolve(value: unknown): void
  reject(error: unknown): void
}

interface Line {
  holder?: Request | undefined
  readonly waiting: Request[]
}

export interface FakeLocks {
  of(client: Client): Origin['locks']
  /** The client is gone: what it holds is free, and what it waits for is not given to it. */
  leave(client: Client): void
}

const abortion = (): DOMException => new DOMException('The lock was stolen or the request aborted.', 'AbortError')

/** Web Locks, as far as exclusive ones go: https://w3c.github.io/web-locks/ */
export function fakeLocks(): FakeLocks {
  const lines = new Map<string, Line>()

  const grant = async (line: Line, request: Request): Promise<void> => {
    line.holder = request
    await request.client.wait()
    if (line.holder !== request) return
    try {
      request.resolve(await request.callback({}))
    } catch (error) {
      request.reject(error)
    }
    if (line.holder === request) next(line)
  }
  const next = (line: Line): void => {
    line.holder = undefined
    const request = line.waiting.shift()
    if (request) void grant(line, request)
  }
  const ask = (line: Line, request: Request, { ifAvailable, steal, signal }: LockOptions): void => {
    if (steal) {
      const { holder } = line
      if (holder) void holder.client.wait().then(() => holder.reject(abortion()))
      void grant(line, request)
    } else if (!line.holder) void grant(line, request)
    else if (ifAvailable) void request.client.wait().then(() => request.resolve(request.callback(null)))
    else {
      line.waiting.push(request)
      signal?.addEventListener('abort', () => {
        const place = line.waiting.indexOf(request)
        if (place < 0) return
        line.waiting.splice(place, 1)
        request.reject(abortion())
      })
    }
  }

  return {
    of(client) {
      const request = (name: string, options: LockOptions, callback: (lock: unknown) => unknown): Promise<unknown> => {
        const line = lines.get(name) ?? { waiting: [] }
        lines.set(name, line)
        return new Promise((resolve, reject) => ask(line, { client, callback, resolve, reject }, options))
      }
      return { request: request as Origin['locks']['request'] }
    },
    leave(client) {
      for (const line of lines.values()) {
        line.waiting.splice(0, line.waiting.length, ...line.waiting.filter((each) => each.client !== client))
        if (line.holder?.client === client) next(line)
      }
    },
  }
}
