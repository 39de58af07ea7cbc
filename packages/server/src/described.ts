import type { Shape } from '@interleave/core/shapes'
import { maybe, shapeOf, text } from '@interleave/core/shapes'

/** A shape together with the JSON Schema that says the same, for who has to write what it looks at. */
export interface Described {
  readonly shape: Shape
  readonly schema: Readonly<Record<string, unknown>>
  /** True if it is optional. */
  readonly isOptional?: true
}

export const described = (shape: Shape, schema: Described['schema']): Described => ({ shape, schema })

export const optional = ({ shape, schema }: Described): Described => ({ shape: maybe(shape), schema, isOptional: true })

/** A text of at most so many characters, and not an empty one. */
export const textUpTo = (maxLength: number, description: string): Described => ({
  shape: (value) => text(value) ?? lengthOf(value as string, maxLength),
  schema: { type: 'string', minLength: 1, maxLength, description },
})

export const textLike = (pattern: RegExp, description: string): Described => ({
  shape: (value) => (typeof value === 'string' && pattern.test(value) ? undefined : ''),
  schema: { type: 'string', pattern: pattern.source, description },
})

export function objectOf(members: Readonly<Record<string, Described>>): Described {
  const entries = Object.entries(members)
  return {
    shape: shapeOf(Object.fromEntries(entries.map(([name, { shape }]) => [name, shape]))),
    schema: {
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
      required: entries.filter(([, { isOptional }]) => !isOptional).map(([name]) => name),
    },
  }
}

const lengthOf = ({ length }: string, maxLength: number): string | undefined =>
  length > 0 && length <= maxLength ? undefined : ''
