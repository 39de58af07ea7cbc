import type { ToolSet } from '@interleave/core'
import { z } from 'zod'
import type { Refs } from './refs.ts'

/** A list of names, or what each name stands for. */
export const toolSet = ({ tool, toolEntry }: Refs): z.ZodType<ToolSet> =>
  z.union([z.array(toolEntry).transform((entries) => Object.fromEntries(entries)), z.record(z.string(), tool)])
