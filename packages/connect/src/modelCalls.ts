import { isPlain } from '@interleave/core/internal'
import { count, either, json, listOf, maybe, oneOf, type Shape, shapeOf, text } from '@interleave/core/shapes'

/* Model calls that a worker sends to a page, and the page's answers. */

export type ModelMessage =
  | ModelCall
  /** The worker has room for more parts of a stream. */
  | { readonly type: 'more'; readonly call: string; readonly parts: number }

export interface ModelCall {
  readonly type: 'model'
  readonly call: string
  readonly name: string
  readonly does: 'stream' | 'generate'
  readonly options: Packed
}

export type ModelAnswer =
  /** The result of a model that does not stream. */
  | { readonly type: 'generated'; readonly call: string; readonly value: Packed }
  | { readonly type: 'ended'; readonly call: string }

export type ModelPart =
  | { readonly type: 'began'; readonly call: string }
  | { readonly type: 'part'; readonly call: string; readonly value: Packed }

/** The maximum number of parts by which the page may be ahead of the reader in the worker. */
export const partsAhead = 64

/** The parts that may come before a model has begun: it may not be loaded yet. */
export const preludes: ReadonlySet<string> = new Set(['stream-start', 'response-metadata'])

/** Data of a model call on its way to the other side. Everything can be cloned except URLs, which are sent as strings; `urls` has their paths. */
export interface Packed {
  readonly data: unknown
  readonly urls?: readonly Path[]
}
type Path = readonly (string | number)[]

const packed: Shape = shapeOf({ data: json, urls: maybe(listOf(listOf(either(text, count), 1))) })

const call = { call: text }
export const modelMessageShapes: Readonly<Record<ModelMessage['type'], Shape>> = {
  model: shapeOf(call, { name: text, does: oneOf('stream', 'generate'), options: packed }),
  more: shapeOf(call, { parts: count }),
}
/** Created on demand, like all shapes that only one side needs: see `toolAnswerShapes`. */
export const modelAnswerShapes = (): Readonly<Record<(ModelAnswer | ModelPart)['type'], Shape>> => ({
  generated: shapeOf(call, { value: packed }),
  ended: shapeOf(call),
  began: shapeOf(call),
  part: shapeOf(call, { value: packed }),
})

export function pack(value: unknown): Packed {
  const urls: Path[] = []
  const data = copyOf(value, [], urls)
  return urls.length > 0 ? { data, urls } : { data }
}

/** Restores the URLs. A string that is not a URL stays a string. */
export function unpack({ data, urls = [] }: Packed): unknown {
  for (const path of urls) {
    const last = path.at(-1)
    const owner = path.slice(0, -1).reduce<unknown>(memberOf, data)
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

/** Copies a value that contains a URL, and returns any other value as it is. */
function copyOf(value: unknown, path: Path, urls: Path[]): unknown {
  if (value instanceof URL) {
    urls.push(path)
    return value.href
  }
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (!Array.isArray(value) && !isPlain(value)) return value
  const before = urls.length
  const members = Object.entries(value).map(
    ([key, member]) => [key, copyOf(member, [...path, Array.isArray(value) ? Number(key) : key], urls)] as const,
  )
  if (urls.length === before) return value
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members)
}
