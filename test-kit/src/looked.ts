import { vi } from 'vitest'

type Method = 'map' | 'flatMap' | 'some' | 'find' | 'findLast' | 'findIndex' | 'findLastIndex' | 'filter'

/** Counts the items that these functions of lists look at, so that a test of growth needs no clock. */
export function looked(methods: readonly Method[], work: () => void): number {
  let count = 0
  for (const name of methods) {
    const own = Array.prototype[name] as (this: unknown[], each: (...all: unknown[]) => unknown) => unknown
    const counting = function (this: unknown[], each: (...all: unknown[]) => unknown) {
      return own.call(this, (...all) => {
        count++
        return each(...all)
      })
    }
    vi.spyOn(Array.prototype, name).mockImplementation(counting as never)
  }
  try {
    work()
  } finally {
    vi.restoreAllMocks()
  }
  return count
}
