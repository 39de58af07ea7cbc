/** Where a large value stood in an event, and what it is kept under. */
export interface Place {
  readonly path: readonly (string | number)[]
  readonly hash: string
}

export interface LargeValue {
  readonly path: readonly (string | number)[]
  readonly value: unknown
  readonly json: string
}

/** In characters of JSON. */
const limit = 64 * 1024

/**
 * Extracts large values: strings, and lists and objects that are large without one large member. So the same document
 * in two events is the same value twice, whatever surrounds it.
 */
export function takeOut<T extends object>(whole: T): { readonly rest: T; readonly large: readonly LargeValue[] } {
  const large: LargeValue[] = []
  const visit = (value: unknown, path: LargeValue['path']): unknown => {
    const json = JSON.stringify(value) ?? ''
    if (json.length <= limit) return value
    const hasLargeMember =
      typeof value === 'object' &&
      Object.values(value ?? {}).some((member) => (JSON.stringify(member) ?? '').length > limit)
    if (!hasLargeMember && path.length > 0) {
      large.push({ path, value, json })
      return null
    }
    if (Array.isArray(value)) return value.map((member, index) => visit(member, [...path, index]))
    return Object.fromEntries(
      Object.entries(value as object).map(([key, member]) => [key, visit(member, [...path, key])]),
    )
  }
  const rest = visit(whole, []) as T
  return { rest, large }
}

/** Puts a value back to where it was taken from. Throws if that is not there. */
export function putBack(whole: object, path: Place['path'], value: unknown): void {
  const key = path.at(-1)
  if (key === undefined) return
  let target = whole as Record<string | number, object>
  // Own members only, and not by assignment: both would take "__proto__" for something else.
  for (const step of path.slice(0, -1)) {
    if (!Object.hasOwn(target, step)) throw new Error(`There is no ${JSON.stringify(path)}.`)
    target = target[step] as typeof target
  }
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
}

/** Undefined in a page that was not loaded over HTTPS, which has no hash function. */
export async function hashOf(json: string): Promise<string | undefined> {
  if (!globalThis.crypto?.subtle) return undefined
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(json))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
