import { z } from 'zod'

/** Additions to the format's JSON Schema that zod does not know. A separate registry, not the global one. */
export const editorHints: z.core.$ZodRegistry<Record<string, unknown>> = z.registry<Record<string, unknown>>()

/** Schemas of names, to which a registry adds some. */
export const extensible: WeakSet<object> = new WeakSet()

/** Adds a line that editors show where the field is written. */
export function hinted<T>(schema: z.ZodType<T>, description: string): z.ZodType<T> {
  editorHints.add(schema, { description })
  return schema
}
