import { z } from 'zod'

/** A schema for each option, and for nothing else. */
export type Shape<Options> = { readonly [Name in keyof Options]-?: z.ZodType<Options[Name] | undefined> }

/** A schema for an options type: the compiler sees to it that every option is in it. */
export function optionsOf<Options extends object>(shape: Shape<Options>): z.ZodType<Options> {
  // An option that is left out is absent here, and never undefined: no text can say that.
  return z.strictObject(shape) as z.ZodType as z.ZodType<Options>
}
