/** The part of `navigator` that is used here: the package compiles without the DOM. */
interface Locking {
  readonly locks?: Pick<LockManager, 'request'>
}

/** Returns the locks of the page's origin. A page without a secure context has none. */
const locksOfPage = (): Locking['locks'] => ((globalThis.navigator ?? {}) as Locking).locks

/**
 * Locks a consent for this page, as long as the page is open. Resolves with false if another page has it: tabs may
 * share a store, and a code works once.
 */
export function takeConsent(state: string): Promise<boolean> {
  const locks = locksOfPage()
  if (!locks) return Promise.resolve(true)
  return new Promise((resolve) => {
    const hold = (lock: object | null): Promise<void> | undefined => {
      resolve(lock !== null)
      return lock ? new Promise(() => {}) : undefined
    }
    locks.request(`interleave mcp oauth ${state}`, { ifAvailable: true }, hold).catch(() => resolve(true))
  })
}

/** Does work while no other tab does work of the same name. */
export async function oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  const locks = locksOfPage()
  return locks ? locks.request(`interleave mcp oauth ${name}`, work) : work()
}
