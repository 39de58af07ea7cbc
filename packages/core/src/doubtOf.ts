/** The id of the question whether a call that was interrupted is to run again. */
export const doubtOf = (call: string): string => `${call}/doubt`

/** The note that a call could not be persisted, and was therefore not started. */
export const unbegunOf = (call: string): string => `${call}/unbegun`
