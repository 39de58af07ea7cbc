import { isJournalError } from './journalError.ts'
import type { RunContext } from './run.ts'

/**
 * Parts of a run that go on side by side. If the journal fails one of them while others go on, as those that wait for a user do, it
 * begins again as soon as the journal takes writes again. If nothing else goes on, it fails with what the journal said.
 */
export class Recovery {
  readonly #run: Pick<RunContext, 'onRecovered' | 'abortSignal'>
  #working = 0
  readonly #failed = new Set<() => void>()

  constructor(run: Pick<RunContext, 'onRecovered' | 'abortSignal'>) {
    this.#run = run
  }

  /** Does the work of one part. `work` goes on where it was when it is called again. */
  async through<T>(work: () => Promise<T>): Promise<T> {
    this.#working++
    try {
      let attempt = work()
      for (;;) {
        try {
          return await attempt
        } catch (error) {
          if (!isJournalError(error) || this.#run.abortSignal.aborted) throw error
          attempt = (await this.#recovered(work, error)).attempt
        }
      }
    } finally {
      this.#working--
      this.#giveUpIfAlone()
    }
  }

  /** The work begins within the write that succeeds, so that the run never seems to do nothing but wait. */
  #recovered<T>(work: () => Promise<T>, error: unknown): Promise<{ readonly attempt: Promise<T> }> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        cancel()
        reject(error)
      }
      const cancel = this.#run.onRecovered(() => {
        cancel()
        this.#failed.delete(giveUp)
        resolve({ attempt: work() })
      })
      this.#failed.add(giveUp)
      this.#giveUpIfAlone()
    })
  }

  #giveUpIfAlone(): void {
    if (this.#failed.size < this.#working) return
    const failed = [...this.#failed]
    this.#failed.clear()
    for (const giveUp of failed) giveUp()
  }
}
