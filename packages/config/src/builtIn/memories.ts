import type { Step } from '@interleave/core'
import {
  type CompactionStrategy,
  type CompactOptions,
  type CutResultsOptions,
  compact,
  cutResults,
  dropTurns,
  type Memory,
  type MemoryItem,
  type RememberOptions,
  remember,
  retryCompacted,
  type SearchMemoryOptions,
  type SummaryOptions,
  searchMemory,
  summarize,
} from '@interleave/core/steps'
import { z } from 'zod'
import { declared, type Factories, noOptions, optionsOf, type Refs, textOr } from '../schemas.ts'

const share = z.number().positive().max(1)

/** Steps that shorten the history. */
export const compactionSteps: Factories<Step> = {
  compact: declared(
    ({ strategy, fn }) =>
      optionsOf<CompactOptions>({
        contextWindow: z.union([z.number().positive(), fn<Exclude<CompactOptions['contextWindow'], number>>()]),
        ratio: share.optional(),
        target: share.optional(),
        keep: z.int().min(0).optional(),
        strategies: z.array(strategy).min(1).optional(),
      }),
    compact,
  ),
  retryCompacted: declared(
    ({ step }) => optionsOf<{ backend: Step }>({ backend: step }),
    ({ backend }) => retryCompacted(backend),
  ),
}

const summary = ({ model }: Refs): z.ZodType<SummaryOptions> =>
  optionsOf<SummaryOptions>({
    models: z.array(model).min(1).optional(),
    contextWindow: z.number().positive().optional(),
    length: z.number().positive().optional(),
    focus: z.string().optional(),
  })

/** Strategies that shorten a history. */
export const strategies: Factories<CompactionStrategy> = {
  cutResults: declared(
    optionsOf<CutResultsOptions>({
      except: z.array(z.string()).optional(),
      upTo: z.number().min(0).optional(),
    }),
    cutResults,
  ),
  dropTurns: declared(noOptions, dropTurns),
  summarize: declared(summary, summarize),
}

const item = optionsOf<MemoryItem>({
  id: z.string(),
  text: z.string(),
  namespace: z.string(),
  at: z.number(),
})

/** Memories that live as long as the agents that are loaded with them. Shared ones belong to the registry. */
export const memories: Factories<Memory> = {
  searchMemory: declared(
    optionsOf<SearchMemoryOptions>({
      items: z.array(item).optional(),
      maxItems: z.int().min(1).optional(),
    }),
    searchMemory,
  ),
}

type Remembering = RememberOptions & { backend: Step }
type NamespaceFn = Exclude<RememberOptions['namespace'], string>

/** Steps for memories of other runs. */
export const memorySteps: Factories<Step> = {
  remember: declared(
    (refs) =>
      optionsOf<Remembering>({
        backend: refs.step,
        memory: refs.memory,
        namespace: textOr<NamespaceFn>(refs),
        limit: z.int().min(1).optional(),
        extract: refs.fn<RememberOptions['extract']>().optional(),
        onError: refs.fn<RememberOptions['onError']>().optional(),
        timeoutMs: z.number().positive().optional(),
      }),
    ({ backend, ...options }) => remember(backend, options),
  ),
}
