export interface Persistence {
  /** Whether the browser keeps the data of this origin when the disk fills up; undefined where it does not say. */
  readonly persisted: boolean | undefined
  /** In bytes, about; undefined where the browser does not say. */
  readonly usage: number | undefined
  readonly quota: number | undefined
}

/** What not every browser and worker has. */
interface StorageManager {
  readonly persist?: () => Promise<boolean>
  readonly persisted?: () => Promise<boolean>
  readonly estimate?: () => Promise<{ readonly usage?: number; readonly quota?: number }>
}

const storage = (): StorageManager =>
  (globalThis as { readonly navigator?: { readonly storage?: StorageManager } }).navigator?.storage ?? {}

/** Whether what is kept here is safe from eviction, and how much room there is. Asks nobody. */
export async function persistence(): Promise<Persistence> {
  const { usage, quota } = (await storage().estimate?.()) ?? {}
  return { persisted: await storage().persisted?.(), usage, quota }
}

/**
 * Asks the browser to keep the data of this origin until the user deletes it, and tells whether it will. Some browsers ask the
 * user, so call it when the user does something that explains it. It works in a page only, not in a worker.
 */
export async function askToPersist(): Promise<boolean> {
  return (await storage().persist?.()) ?? false
}
