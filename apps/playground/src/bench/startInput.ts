import type { Json } from '@interleave/core'

/** What a form for an input begins with: what its schema says that is taken if nothing is said. */
export function startInput(schema: object): Json {
  const { properties = {} } = schema as { properties?: Readonly<Record<string, { default?: Json } | boolean>> }
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      typeof property === 'object' && property.default !== undefined ? [[name, property.default]] : [],
    ),
  )
}
