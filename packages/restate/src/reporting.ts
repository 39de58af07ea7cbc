import { reportLater } from '@interleave/core/internal'

/** What an app hears by. What goes wrong in it is reported, and is no fault of who tells it. */
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
