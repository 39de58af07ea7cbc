import type { Json } from '@interleave/core'

/** Returns the defaults of an input schema, to fill its form. */
export function startInput(schema: object): Json {
  const { properties = {} } = schema as { properties?: Readonly<Record<string, { default?: Json } | boolean>> }
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      typeof property === 'object' && property.default !== undefined ? [[name, property.default]] : [],
    ),
  )
}
