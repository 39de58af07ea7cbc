import { reportLater, reportRejection } from '@interleave/core/internal'

/** Wraps an app's callback. Its exceptions are reported and do not affect the caller. */
export const reporting =
  <Given extends readonly unknown[]>(listener: (...given: Given) => unknown): ((...given: Given) => void) =>
  (...given) => {
    try {
      reportRejection(listener(...given))
    } catch (error) {
      reportLater(error)
    }
  }
