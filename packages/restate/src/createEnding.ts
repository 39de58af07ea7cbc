/** The end of something that works. */
export interface Ending {
  readonly isOver: boolean
  /** Resolves when it ends by itself. Consumers that are cut off are notified elsewhere. */
  readonly ended: Promise<void>
  end(): void
  /** From now on it does nothing more. */
  cutOff(): void
}

export function createEnding(): Ending {
  let isOver = false
  let resolve = (): void => {}
  const ended = new Promise<void>((done) => {
    resolve = done
  })
  return {
    get isOver() {
      return isOver
    },
    ended,
    end() {
      if (isOver) return
      isOver = true
      resolve()
    },
    cutOff() {
      isOver = true
    },
  }
}
