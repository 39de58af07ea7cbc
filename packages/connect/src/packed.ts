import { count, either, json, listOf, maybe, type Shape, shapeOf, text } from '@interleave/core/shapes'

/**
 * Data of a model call on its way to the other side. Everything in it can be cloned but for URLs, which go as texts: `urls`
 * has the ways to them.
 */
export interface Packed {
  readonly data: unknown
  readonly urls?: readonly Way[]
}
type Way = readonly (string | number)[]

export const packed: Shape = shapeOf({ data: json, urls: maybe(listOf(listOf(either(text, count), 1))) })

export function pack(value: unknown): Packed {
  const urls: Way[] = []
  const data = copyOf(value, [], urls)
  return urls.length > 0 ? { data, urls } : { data }
}

/** Restores packed data. An invalid URL stays a string. */
export function unpack({ data, urls = [] }: Packed): unknown {
  for (const way of urls) {
    const last = way.at(-1)
    const owner = way.slice(0, -1).reduce<unknown>(memberOf, data)
    const href = last === undefined ? undefined : memberOf(owner, last)
    if (last !== undefined && typeof href === 'string' && URL.canParse(href)) {
      Object.assign(owner as object, { [last]: new URL(href) })
    }
  }
  return data
}

const memberOf = (owner: unknown, key: string | number): unknown =>
  typeof owner === 'object' && owner !== null && Object.hasOwn(owner, key)
    ? (owner as Record<string | number, unknown>)[key]
    : undefined

/** The same value where there is no URL in it: most that is sent has none. */
function copyOf(value: unknown, way: Way, urls: Way[]): unknown {
  if (value instanceof URL) {
    urls.push(way)
    return value.href
  }
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (!Array.isArray(value) && !isPlain(value)) return value
  const before = urls.length
  const members = Object.entries(value).map(
    ([key, member]) => [key, copyOf(member, [...way, Array.isArray(value) ? Number(key) : key], urls)] as const,
  )
  if (urls.length === before) return value
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members)
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
