import { vi } from 'vitest'

type Method = 'map' | 'flatMap' | 'some' | 'find' | 'findLast' | 'findIndex' | 'findLastIndex' | 'filter'

/** Counts the items that these functions of lists look at, so that a test of growth needs no clock. */
export function looked(methods: readonly Method[], work: () => void): number {
  const count = counting(methods)
  try {
    work()
  } finally {
    vi.restoreAllMocks()
  }
  return count()
}

/** The same for work that takes its time. */
export async function lookedUntil(methods: readonly Method[], work: () => Promise<unknown>): Promise<number> {
  const count = counting(methods)
  try {
    await work()
  } finally {
    vi.restoreAllMocks()
  }
  return count()
}

function counting(methods: readonly Method[]): () => number {
  let count = 0
  for (const name of methods) {
    const own = Array.prototype[name] as (this: unknown[], each: (...all: unknown[]) => unknown) => unknown
    const counted = function (this: unknown[], each: (...all: unknown[]) => unknown) {
      return own.call(this, (...all) => {
        count++
        return each(...all)
      })
    }
    vi.spyOn(Array.prototype, name).mockImplementation(counted as never)
  }
  return () => count
}
