/** A promise that is settled when the scheduler says so. */
export interface Gate {
  readonly name: string
  /** The path of the run of a write to the journal, which a crash may keep or lose and the journal may reject. */
  readonly writeOf: string | undefined
  /** Does the work behind the gate and settles its promise. Gives a promise only if the work takes time. */
  open(): Promise<void> | undefined
  /** Does the work without settling the promise. */
  work(): unknown
  fail(error: Error): void
  /** Settles the promise with an error, as if the answer were lost. The work is done when the scheduler opens what is left. */
  lose(error: Error): void
}

/** The promises that one page waits for. */
export class Gates {
  readonly #waiting = new Set<Gate>()
  isClosed = false

  /** Closes the gates: from now on nothing passes, and nothing waits. */
  close(): void {
    this.isClosed = true
    this.#waiting.clear()
  }

  get waiting(): readonly Gate[] {
    return [...this.#waiting]
  }

  /** Waits until the scheduler opens this gate. */
  pass(name: string): Promise<void> {
    return this.through(name, () => {})
  }

  /** Does `work` once the scheduler opens this gate. */
  through<T>(name: string, work: () => T | PromiseLike<T>, writeOf?: string): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.isClosed) return
      const leave = (): void => void this.#waiting.delete(gate)
      const gate: Gate = {
        name,
        writeOf,
        work,
        open() {
          leave()
          return settle(work, resolve, reject)
        },
        fail(error) {
          leave()
          reject(error)
        },
        lose: (error) => {
          gate.fail(error)
          void this.through(`late ${name}`, work).catch(() => {})
        },
      }
      this.#waiting.add(gate)
    })
  }
}

/** The promise is settled in the same microtask, so that the schedule alone says how many of them pass. */
function settle<T>(
  work: () => T | PromiseLike<T>,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): Promise<void> | undefined {
  try {
    const value = work()
    if (isPromise(value)) return Promise.resolve(value).then(resolve, reject)
    resolve(value)
  } catch (error) {
    reject(error)
  }
  return undefined
}

const isPromise = <T>(value: T | PromiseLike<T>): value is PromiseLike<T> =>
  typeof value === 'object' && value !== null && 'then' in value
