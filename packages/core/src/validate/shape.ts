import { isObject } from '../json.ts'
import { isId } from '../options.ts'

/*
 * `@__NO_SIDE_EFFECTS__` lets bundlers drop the shapes that an app does not use.
 */

/** Returns the path to the first invalid member, empty for the data itself; undefined if it is valid. */
export type Shape = (value: unknown) => string | undefined
export type Members = Readonly<Record<string, Shape>>

const when =
  /* @__NO_SIDE_EFFECTS__ */
    (fits: (value: unknown) => boolean): Shape =>
    (value) =>
      fits(value) ? undefined : ''

export const text: Shape = when((value) => typeof value === 'string')
export const data: Shape = when(isObject)
/** JSON of any kind. */
export const json: Shape = when((value) => value !== undefined)
export const count: Shape = when((value) => Number.isSafeInteger(value) && (value as number) >= 0)
/** Milliseconds since the epoch that are a date. */
export const time: Shape = when((value) => typeof value === 'number' && value >= 0 && value <= maxDate)
export const maxDate = 8.64e15
/** An id that can be a key, and a part of an address and of a file name: well-formed Unicode of limited length. */
export const id: Shape = when((value) => typeof value === 'string' && isId(value))
/** A number from a provider or a clock. JSON has no form for NaN. */
export const amount: Shape = when((value) => typeof value === 'number' || value === null)
export const oneOf = /* @__NO_SIDE_EFFECTS__ */ (...values: readonly unknown[]): Shape =>
  when((value) => values.includes(value))

export const maybe =
  /* @__NO_SIDE_EFFECTS__ */
    (shape: Shape): Shape =>
    (value) =>
      value === undefined ? undefined : shape(value)

export const either =
  /* @__NO_SIDE_EFFECTS__ */
    (first: Shape, second: Shape): Shape =>
    (value) =>
      first(value) === undefined ? undefined : second(value)

export const listOf =
  /* @__NO_SIDE_EFFECTS__ */
    (item: Shape, least = 0): Shape =>
    (value) => {
      if (!Array.isArray(value) || value.length < least) return ''
      for (let index = 0; index < value.length; index++) {
        const wrong = item(value[index])
        if (wrong !== undefined) return below(index, wrong)
      }
      return undefined
    }

/** Creates the shape of a record, whose names are not known beforehand. */
export const recordOf =
  /* @__NO_SIDE_EFFECTS__ */
    (member: Shape): Shape =>
    (value) => {
      if (!isObject(value)) return ''
      for (const key of Object.keys(value)) {
        const wrong = member(value[key])
        if (wrong !== undefined) return below(key, wrong)
      }
      return undefined
    }

/**
 * Members by name, of one list or of several. Others may be there too: a later version may have added them. Lists are passed side by side,
 * and not spread into one: a bundler keeps every spread, because it may call a getter.
 */
/* @__NO_SIDE_EFFECTS__ */
export function shapeOf(...members: readonly Members[]): Shape {
  const entries = Object.entries<Shape>(Object.assign({}, ...members))
  return (value) => {
    if (!isObject(value)) return ''
    for (const [key, member] of entries) {
      const wrong = member(Object.hasOwn(value, key) ? value[key] : undefined)
      if (wrong !== undefined) return below(key, wrong)
    }
    return undefined
  }
}

/** Validates one of several shapes, distinguished by a member. */
export const byName =
  /* @__NO_SIDE_EFFECTS__ */
    (name: string, shapes: Members): Shape =>
    (value) => {
      if (!isObject(value)) return ''
      const kind = value[name]
      return typeof kind === 'string' && Object.hasOwn(shapes, kind) ? shapes[kind]?.(value) : name
    }

const below = (key: string | number, way: string): string => (way ? `${key}.${way}` : `${key}`)
