/** Of what is done at once and needs no trace: the log is the record. An hour of tries, then the invocation is paused. */
export const objectOptions = {
  // What waits for news lets go of its place among those that Restate lets work at once.
  inactivityTimeout: 1_000,
  journalRetention: 0,
  // Restate keeps the answer to whatever is asked, by default for a day. Asked again with the same name, nothing here is done twice.
  idempotencyRetention: 0,
  retryPolicy: {
    initialInterval: 20,
    exponentiationFactor: 2,
    maxInterval: 5_000,
    maxAttempts: 720,
    onMaxAttempts: 'pause',
  },
} as const
