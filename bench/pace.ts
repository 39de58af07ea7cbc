/** The delays of the model and the tool, in milliseconds. All 0 if the overhead of an agent is measured. */
export interface Pace {
  modelMs: number
  toolMs: number
  /** Between the head of the model's answer and its first piece of text. */
  firstDeltaMs: number
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
