import { localHost } from '@interleave/core'
import type { Errand, HostMessage } from './hostMessage.ts'
import type { Answer } from './pageMessage.ts'
import { toWireError } from './wireError.ts'

/** A page as its worker sees it. */
export interface Page {
  readonly tools: ReadonlySet<string>
  readonly models: ReadonlySet<string>
  post(message: HostMessage): void
  /** Returns true if it shows this run, or an ancestor of it. */
  shows(runId: string): boolean
  /** Has something done there. */
  send(errand: NewErrand, ends: ErrandEnds): SentErrand
  hear(answer: Answer): void
  /** It is gone, and so is what it was doing. */
  lose(): void
}

type Starting = Extract<Errand, { type: 'tool' | 'model' }>
export type NewErrand = Starting extends infer E ? (E extends Starting ? Omit<E, 'call'> : never) : never

export interface ErrandEnds {
  hear(answer: Answer): void
  /** Called when the page is gone: the call may have run partly. */
  onLost(): void
}

export interface SentErrand {
  more(parts: number): void
  abort(reason: unknown): void
  /** Ends the subscription. */
  end(): void
}

export interface PageOptions {
  readonly tools: readonly string[]
  readonly models: readonly string[]
  readonly post: (message: HostMessage) => void
  readonly shows: (runId: string) => boolean
}

export function createPage({ tools, models, post, shows }: PageOptions): Page {
  const open = new Map<string, ErrandEnds>()
  return {
    tools: new Set(tools),
    models: new Set(models),
    post,
    shows,
    send(errand, ends) {
      const call = localHost.newId()
      open.set(call, ends)
      try {
        post({ ...errand, call })
      } catch (error) {
        // Something in it cannot be cloned.
        open.delete(call)
        throw error
      }
      return {
        more: (parts) => open.has(call) && post({ type: 'more', call, parts }),
        abort: (reason) => open.has(call) && post({ type: 'abort', call, error: toWireError(reason, 'stopped') }),
        end: () => void open.delete(call),
      }
    },
    hear(answer) {
      const ends = open.get(answer.call)
      if (answer.type !== 'began' && answer.type !== 'part') open.delete(answer.call)
      ends?.hear(answer)
    },
    lose() {
      const lost = [...open.values()]
      open.clear()
      for (const { onLost } of lost) onLost()
    },
  }
}
