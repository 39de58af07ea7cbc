import { z } from 'zod'

/** One, or a list of them. */
export const oneOrMore = <T>(schema: z.ZodType<T>): z.ZodType<T | readonly T[]> =>
  z.union([schema, z.array(schema).min(1)])
