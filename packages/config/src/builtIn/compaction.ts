import type { Step } from '@interleave/core'
import { type CompactOptions, compact, retryCompacted } from '@interleave/core/steps'
import { z } from 'zod'
import { declared, type Factory } from '../declared.ts'
import { optionsOf } from '../optionsOf.ts'
import type { Refs } from '../refs.ts'

const share = z.number().positive().max(1)

const compactOptions = ({ strategy, fn }: Refs): z.ZodType<CompactOptions> =>
  optionsOf<CompactOptions>({
    contextWindow: z.union([z.number().positive(), fn<Exclude<CompactOptions['contextWindow'], number>>()]),
    ratio: share.optional(),
    target: share.optional(),
    keep: z.int().min(0).optional(),
    strategy: strategy.optional(),
  })

/** Steps that shorten the history. */
export const compactionSteps: Readonly<Record<string, Factory<Step>>> = {
  compact: declared(compactOptions, compact),
  retryCompacted: declared(
    ({ step }) => optionsOf<{ backend: Step }>({ backend: step }),
    ({ backend }) => retryCompacted(backend),
  ),
}
