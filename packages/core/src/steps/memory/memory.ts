/** Something worth knowing later, in words. */
export interface MemoryItem {
  /** What is added under the same id again takes its place. */
  readonly id: string
  readonly text: string
  /** Whom or what it belongs to, such as a user. Never found from another one. */
  readonly namespace: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

export interface MemorySearch {
  readonly namespace: string
  /** How many items at most, the best first. */
  readonly limit: number
  readonly abortSignal: AbortSignal
}

/** Where items are kept across runs: an index in memory, a database, a service. It may fail, and runs go on without it. */
export interface Memory {
  search(query: string, options: MemorySearch): readonly MemoryItem[] | PromiseLike<readonly MemoryItem[]>
  add(items: readonly MemoryItem[], options: { readonly abortSignal: AbortSignal }): unknown
}
