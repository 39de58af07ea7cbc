import { isJournalFault, type RecoveredRun, type RunRecovery } from '../journal.ts'

/** Restarts concurrent parts of a run after a failed write, unless no other part continues: then the run fails. */
export class Recovery implements RunRecovery {
  readonly #run: RecoveredRun
  #working = 0
  readonly #failed = new Set<() => void>()

  constructor(run: RecoveredRun) {
    this.#run = run
  }

  async through<T>(work: () => Promise<T>): Promise<T> {
    this.#working++
    try {
      let attempt = work()
      for (;;) {
        try {
          return await attempt
        } catch (error) {
          if (!isJournalFault(error) || this.#run.abortSignal.aborted) throw error
          attempt = (await this.#recovered(work, error)).attempt
        }
      }
    } finally {
      this.#working--
      this.#giveUpIfAlone()
    }
  }

  /** Restarts the work within the write that succeeds, so that the run is never mistaken for one that only waits. */
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
