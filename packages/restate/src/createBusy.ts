/** The work under way, and its error. */
export interface Busy {
  readonly isBusy: boolean
  begin(work: Promise<unknown>): void
  /** Resolves when nothing is under way. Rejects with what went wrong first. */
  calm(): Promise<void>
}

export function createBusy(): Busy {
  const works = new Set<Promise<unknown>>()
  let fault: { readonly error: unknown } | undefined
  return {
    get isBusy() {
      return works.size > 0
    },
    begin(work) {
      const done = work
        .catch((error: unknown) => {
          fault ??= { error }
        })
        .finally(() => works.delete(done))
      works.add(done)
    },
    async calm() {
      while (works.size > 0) await Promise.all(works)
      if (fault) throw fault.error
    },
  }
}
