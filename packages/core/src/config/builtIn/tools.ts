import { z } from 'zod'
import type { AnyTool } from '../../tool.ts'
import { askUser } from '../../tools/askUser.ts'
import { declared, type Factory } from '../declared.ts'
import { optionsOf } from '../optionsOf.ts'

/** The tools of this package. */
export const tools: Readonly<Record<string, Factory<AnyTool | object>>> = {
  askUser: declared(optionsOf<{ description?: string }>({ description: z.string().optional() }), askUser),
}
