import { DEV } from '#checks'
import { ignore } from '../engine/wait.ts'
import { AgentError } from '../error.ts'

interface Asking {
  ask(): Promise<unknown>
  /** Returns true once the function that asks has ended. */
  isOver(): boolean
}

/** The promise of an answer, which knows if anybody waits for it. A text that it is put into would be wrong. */
export class Answer extends Promise<unknown> {
  /** Promises that are made of it are plain ones. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  isAwaited = false

  /**
   * Asks once the tool awaits the answer, or soon after if it keeps the promise for later. Asks no user if the tool has ended
   * by then.
   */
  static to({ ask, isOver }: Asking): Answer {
    let settle: (answer: Promise<unknown>) => void = ignore
    const answer = new Answer((resolve) => {
      settle = resolve
    })
    const asking = async (): Promise<unknown> => {
      for (let left = 16; left > 0 && !answer.isAwaited && !isOver(); left--) await undefined
      if (isOver() && !answer.isAwaited) throw notAwaited()
      return ask()
    }
    settle(asking())
    // Nobody may handle its rejection, and Node would exit.
    Promise.prototype.then.call(answer, undefined, ignore)
    return answer
  }

  // biome-ignore lint/suspicious/noThenProperty: `await` calls it, since this is not the class Promise itself.
  override then<A = unknown, B = never>(
    onAnswer?: ((value: unknown) => A | PromiseLike<A>) | null,
    onFailure?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.isAwaited = true
    return super.then(onAnswer, onFailure)
  }

  [Symbol.toPrimitive](): never {
    throw notAwaited()
  }
}

export const notAwaited = (): AgentError =>
  new AgentError('tool_failed', DEV && 'This tool asks a user and does not wait for the answer. Write: await ask(…)')
