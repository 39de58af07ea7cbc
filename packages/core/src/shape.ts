/** Looks at data from elsewhere. Gives the way to the first thing that is wrong, empty for the data itself; undefined if all is well. */
export type Shape = (value: unknown) => string | undefined
export type Members = Readonly<Record<string, Shape>>

type Data = Readonly<Record<string, unknown>>
const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)

const when =
  (fits: (value: unknown) => boolean): Shape =>
  (value) =>
    fits(value) ? undefined : ''

export const text: Shape = when((value) => typeof value === 'string')
export const data: Shape = when(isData)
/** JSON of any kind. */
export const json: Shape = when((value) => value !== undefined)
export const count: Shape = when((value) => Number.isSafeInteger(value) && (value as number) >= 0)
export const time: Shape = when(Number.isFinite)
/** What a provider or a clock said. JSON has no word for a number that is none. */
export const amount: Shape = when((value) => typeof value === 'number' || value === null)
export const oneOf = (...values: readonly unknown[]): Shape => when((value) => values.includes(value))

export const maybe =
  (shape: Shape): Shape =>
  (value) =>
    value === undefined ? undefined : shape(value)

export const either =
  (first: Shape, second: Shape): Shape =>
  (value) =>
    first(value) === undefined ? undefined : second(value)

export const listOf =
  (item: Shape, least = 0): Shape =>
  (value) =>
    Array.isArray(value) && value.length >= least ? firstWrong(value.keys(), (index) => item(value[index])) : ''

/** Members by names that are not known beforehand. */
export const recordOf =
  (member: Shape): Shape =>
  (value) =>
    isData(value) ? firstWrong(Object.keys(value), (key) => member(value[key])) : ''

/** Members by name. Others may be there too: a later version may have added them. */
export const shapeOf =
  (members: Members): Shape =>
  (value) => {
    const own = (key: string): unknown => (isData(value) && Object.hasOwn(value, key) ? value[key] : undefined)
    return isData(value) ? firstWrong(Object.keys(members), (key) => members[key]?.(own(key))) : ''
  }

/** One of several, told apart by a member. */
export const byName =
  (name: string, shapes: Members): Shape =>
  (value) => {
    if (!isData(value)) return ''
    const kind = value[name]
    return typeof kind === 'string' && Object.hasOwn(shapes, kind) ? shapes[kind]?.(value) : name
  }

function firstWrong<Key>(keys: Iterable<Key>, look: (key: Key) => string | undefined): string | undefined {
  for (const key of keys) {
    const wrong = look(key)
    if (wrong !== undefined) return wrong ? `${key}.${wrong}` : `${key}`
  }
  return undefined
}
