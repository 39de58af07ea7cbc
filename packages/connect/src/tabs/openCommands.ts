import type { Failure } from '@interleave/core'
import type { Command } from '@interleave/core/internal'
import { fromFailure } from '@interleave/core/internal'

/** Commands to the owner that are not confirmed yet. A new owner receives them again. */
export interface OpenCommands {
  /** Gives the length of the log then. */
  send(command: Command): Promise<number>
  /** Asks again for everything that is open. */
  sendAgain(): void
  /** Does everything that is open here. */
  performHere(perform: (command: Command) => Promise<number>): void
  done(id: string, length: number): void
  refused(id: string, failure: Failure): void
  /** Gives up. */
  rejectAll(error: unknown): void
}

interface Open {
  readonly command: Command
  resolve(length: number): void
  reject(error: unknown): void
}

export function createOpenCommands(newId: () => string, post: (id: string, command: Command) => void): OpenCommands {
  const open = new Map<string, Open>()
  const take = (id: string): Open | undefined => {
    const command = open.get(id)
    open.delete(id)
    return command
  }
  return {
    send(command) {
      const id = newId()
      const done = new Promise<number>((resolve, reject) => open.set(id, { command, resolve, reject }))
      post(id, command)
      return done
    },
    sendAgain() {
      for (const [id, { command }] of open) post(id, command)
    },
    performHere(perform) {
      for (const id of [...open.keys()]) {
        const asked = take(id)
        if (asked) perform(asked.command).then(asked.resolve, asked.reject)
      }
    },
    done: (id, length) => take(id)?.resolve(length),
    refused: (id, failure) => take(id)?.reject(fromFailure(failure)),
    rejectAll(error) {
      for (const id of [...open.keys()]) take(id)?.reject(error)
    },
  }
}
