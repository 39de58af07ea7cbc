export interface Persistence {
  /** True if the browser keeps this origin's data when the disk fills up; undefined if it does not report that. */
  readonly persisted: boolean | undefined
  /** The used bytes, approximately; undefined if the browser does not report them. */
  readonly usage: number | undefined
  readonly quota: number | undefined
}

/** Some browsers and workers lack members of it. */
type Storage = Partial<StorageManager & { persist(): Promise<boolean> }>

const storage = (): Storage =>
  (globalThis as { readonly navigator?: { readonly storage?: Storage } }).navigator?.storage ?? {}

/** Returns whether stored data is safe from eviction, and how much room there is. Shows no prompt. */
export async function persistence(): Promise<Persistence> {
  const { usage, quota } = (await unlessDenied(storage().estimate?.())) ?? {}
  return { persisted: await unlessDenied(storage().persisted?.()), usage, quota }
}

/**
 * Asks the browser to keep this origin's data until the user deletes it, and returns whether it will. Some browsers ask
 * the user, so call it when the user does something that explains it, and let nothing wait for it: Firefox answers when
 * its prompt is closed. Works in a page only, not in a worker.
 */
export async function askToPersist(): Promise<boolean> {
  return (await unlessDenied(storage().persist?.())) ?? false
}

/** Returns undefined if the browser denies its storage to this page, as in a sandboxed frame. */
const unlessDenied = <T>(answer: Promise<T> | undefined): Promise<T | undefined> | undefined =>
  answer?.catch(() => undefined)
