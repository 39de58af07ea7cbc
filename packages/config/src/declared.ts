import type { Step } from '@interleave/core'
import type { z } from 'zod'
import type { Refs } from './refs.ts'

/** A factory for the options below a name. */
export interface Factory<Made> {
  readonly options: z.ZodType | ((refs: Refs) => z.ZodType)
  make(options: unknown): Made
}

/**
 * A step of your own for configs: a schema of its options, and how it is made of them. Options that name models, tools,
 * steps or agents get schemas that look them up.
 *
 * @example
 * registry({ steps: { checkIn: declared(z.strictObject({ turns: z.int().min(1) }), ({ turns }) => checkIn(turns)) } })
 */
export function declared<Options, Made = Step>(
  options: z.ZodType<Options> | ((refs: Refs) => z.ZodType<Options>),
  make: (options: Options) => Made,
): Factory<Made> {
  // What the schema lets through is what `make` takes.
  return Object.freeze({ options, make: (given: unknown) => make(given as Options) })
}
