/** The end of something that works. */
export interface Ending {
  readonly isOver: boolean
  /** Resolves when it is at its end by itself. Whoever is cut off is told elsewhere. */
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
