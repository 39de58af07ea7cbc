import type { Step } from '@interleave/core'
import { type ReflectOptions, reflect } from '@interleave/core/steps'
import { z } from 'zod'
import { declared, type Factory } from '../declared.ts'
import { oneOrMore } from '../oneOrMore.ts'
import { optionsOf } from '../optionsOf.ts'
import type { Refs } from '../refs.ts'

const count = z.int().min(1).optional()

const reflectOptions = ({ model, fn }: Refs): z.ZodType<ReflectOptions> =>
  optionsOf<ReflectOptions>({
    every: count,
    when: fn<ReflectOptions['when']>().optional(),
    prompt: z.string().optional(),
    model: oneOrMore(model).optional(),
    most: count,
    name: z.string().min(1).optional(),
  })

/** Steps that review the work. */
export const reflection: Readonly<Record<string, Factory<Step>>> = {
  reflect: declared(reflectOptions, reflect),
}
