import { z } from 'zod'
import { toldElsewhere } from './toProblems.ts'

/** One of two forms, of which the first is a group of fields. The error is about the form that was meant. */
export function either<A, B>(fields: z.ZodType<A>, other: z.ZodType<B>): z.ZodType<A | B> {
  const decided = fields.transform((value, { issues }) => {
    // Unknown fields alone would decide for this form, and fields that the other form knows are unknown here.
    if (issues.length > 0) issues.push({ code: 'custom', message: '', input: value, params: toldElsewhere })
    return value
  })
  return z.union([decided, other])
}
