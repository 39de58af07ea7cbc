import { reportLater } from '@interleave/core/internal'

/** Wraps an app's callback. Its exceptions are reported and do not affect the caller. */
export const reporting =
  <Given extends readonly unknown[]>(hear: (...given: Given) => unknown): ((...given: Given) => void) =>
  (...given) => {
    try {
      const heard = hear(...given)
      if (heard instanceof Promise) heard.catch(reportLater)
    } catch (error) {
      reportLater(error)
    }
  }
