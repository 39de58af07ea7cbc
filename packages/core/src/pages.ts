/**
 * A growing list in pages. As plain as an array of arrays, yet adding to it copies one page and not the whole list, so
 * the ten-thousandth iteration of a run costs what the tenth does, and full pages keep their identity for caches.
 */
export type Pages<T> = readonly (readonly T[])[]

const pageSize = 64

/** The list with one more item at its end. */
export function append<T>(pages: Pages<T>, item: T): Pages<T> {
  const last = pages.at(-1)
  if (!last || last.length >= pageSize) return [...pages, [item]]
  return pages.with(-1, [...last, item])
}

/** The list with its last item replaced. */
export function replaceLast<T>(pages: Pages<T>, item: T): Pages<T> {
  const last = pages.at(-1)
  return last ? pages.with(-1, last.with(-1, item)) : [[item]]
}

export const lastOf = <T>(pages: Pages<T>): T | undefined => pages.at(-1)?.at(-1)

export function lengthOf<T>(pages: Pages<T>): number {
  const last = pages.at(-1)
  return last ? (pages.length - 1) * pageSize + last.length : 0
}

/** Returns true if all pages but the last are full. */
export const isPaged = (pages: Pages<unknown>): boolean => pages.slice(0, -1).every(({ length }) => length === pageSize)

export const itemAt = <T>(pages: Pages<T>, index: number): T | undefined =>
  pages[Math.floor(index / pageSize)]?.[index % pageSize]
