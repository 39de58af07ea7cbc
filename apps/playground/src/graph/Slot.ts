/** A node in its row, or the place where a long edge passes a row. */
export interface Slot {
  readonly id: string
  readonly node?: string
}

/** Slots row by row, each row from the left to the right. */
export type Order = readonly (readonly Slot[])[]
