/** The allocations of a subject, and the memory that it leaves. */
export interface Weights {
  readonly promises: PerPiece
  /** Allocated, also where they are collected soon. */
  readonly bytes: PerPiece
  /** Bytes that a finished run leaves, which only a full collection takes. */
  readonly left: number
}
interface PerPiece {
  readonly iteration: number
  readonly delta: number
}
