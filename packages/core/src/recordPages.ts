/** A growing record in pages: adding to it copies one page and not the record, and other pages keep their identity. */
export type RecordPages<T> = readonly Readonly<Record<string, T>>[]

const pageSize = 64
/** The number of pages that are searched one after the other. */
const few = 4

/** The pages of the keys, for the latest version of each long record. Earlier versions are searched page by page. */
const indexes = new WeakMap<RecordPages<unknown>, Map<string, number>>()

function pageOf(pages: RecordPages<unknown>, key: string): number {
  const index = indexes.get(pages)
  return index ? (index.get(key) ?? -1) : pages.findIndex((page) => Object.hasOwn(page, key))
}

/** Returns the record with one more member, or with another value of a member. */
export function withMember<T>(pages: RecordPages<T> = [], [key, value]: readonly [string, T]): RecordPages<T> {
  const last = pages.length - 1
  const known = pageOf(pages, key)
  const isFull = known < 0 && Object.keys(pages[last] ?? {}).length >= pageSize
  const at = known >= 0 ? known : Math.max(0, isFull ? last + 1 : last)
  const page = { ...pages[at], [key]: value }
  const next = at > last ? [...pages, page] : pages.with(at, page)
  if (next.length > few) {
    const index = indexes.get(pages) ?? indexOf(pages)
    indexes.delete(pages)
    indexes.set(next, index.set(key, at))
  }
  return next
}

const indexOf = (pages: RecordPages<unknown>): Map<string, number> =>
  new Map(pages.flatMap((page, at) => Object.keys(page).map((key) => [key, at] as const)))

/** Returns the record without the members that fit. */
export function withoutMembers<T>(pages: RecordPages<T>, fits: (key: string) => boolean): RecordPages<T> {
  const others = pages.map((page) => {
    const kept = Object.entries(page).filter(([key]) => !fits(key))
    return kept.length === Object.keys(page).length ? page : Object.fromEntries(kept)
  })
  return others.every((page, at) => page === pages[at]) ? pages : others
}

export const hasMember = (pages: RecordPages<unknown> | undefined, key: string): boolean =>
  pages !== undefined && pageOf(pages, key) >= 0

export function memberOf<T>(pages: RecordPages<T> | undefined, key: string): T | undefined {
  const page = pages?.[pageOf(pages, key)]
  return page?.[key]
}

/** Returns the members, oldest first. */
export const membersOf = <T>(pages: RecordPages<T> | undefined): readonly [string, T][] =>
  pages?.flatMap((page) => Object.entries(page)) ?? []

export const keysOf = (pages: RecordPages<unknown> | undefined): readonly string[] =>
  pages?.flatMap((page) => Object.keys(page)) ?? []
