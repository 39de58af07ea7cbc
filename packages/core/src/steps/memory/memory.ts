/** Something worth knowing later, in words. */
export interface MemoryItem {
  /** Adding the same id again replaces the item. */
  readonly id: string
  readonly text: string
  /** Whom or what it belongs to, such as a user. Never found from another one. */
  readonly namespace: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

export interface MemorySearch {
  readonly namespace: string
  /** The maximum number of items, the best first. */
  readonly limit: number
  readonly abortSignal: AbortSignal
}

/** Storage of items across runs: an index in memory, a database, a service. If it fails, runs continue without it. */
export interface Memory {
  search(query: string, options: MemorySearch): readonly MemoryItem[] | PromiseLike<readonly MemoryItem[]>
  add(items: readonly MemoryItem[], options: { readonly abortSignal: AbortSignal }): unknown
}
