import { quietly, reportRejection } from '@interleave/core/internal'

/** Wraps an app's callback. Its exceptions are reported and do not affect the caller. */
export const reporting =
  <Args extends readonly unknown[]>(listener: (...args: Args) => unknown): ((...args: Args) => void) =>
  (...args) =>
    quietly(() => reportRejection(listener(...args)))
