/** The allocations of a subject, and the memory that it leaves. */
export interface Weights {
  readonly promises: PerChunk
  /** Allocated, also where they are collected soon. */
  readonly bytes: PerChunk
  /** Bytes that a finished run leaves, which only a full collection takes. */
  readonly left: number
}
interface PerChunk {
  readonly iteration: number
  readonly delta: number
}
