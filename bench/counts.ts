/** The calls of the model and the tool, by which runs are checked. */
export interface Counts {
  turns: number
  calls: number
  /** When the model last sent its first piece of text. */
  firstDeltaAt: number
}
