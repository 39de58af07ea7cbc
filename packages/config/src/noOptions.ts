import { z } from 'zod'

/** For what takes no options. */
export const noOptions: z.ZodType<object> = z.strictObject({})
