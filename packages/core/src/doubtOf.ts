/** The id of the question whether a call that was interrupted is to run again. */
export const doubtOf = (call: string): string => `${call}/doubt`
