import { z } from 'zod'
import type { Refs } from './refs.ts'

/** A text, or `{ function: name }` where a function of the registry is to write it. */
export const textOr = <Fn>(refs: Refs): z.ZodType<string | Fn> => z.union([z.string(), functionOf<Fn>(refs)])

/** `{ function: name }`, where a bare name would be taken for something else. */
export const functionOf = <Fn>({ fn }: Refs): z.ZodType<Fn> =>
  z.strictObject({ function: fn<Fn>() }).transform((given) => given.function as Fn)
