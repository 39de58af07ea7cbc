import type { Step } from '@interleave/core'
import type { Memory, MemoryItem } from '@interleave/core/steps'
import { type RememberOptions, remember, type SearchMemoryOptions, searchMemory } from '@interleave/core/steps'
import { z } from 'zod'
import { declared, type Factory } from '../declared.ts'
import { optionsOf } from '../optionsOf.ts'
import type { Refs } from '../refs.ts'
import { textOr } from '../textOr.ts'

const item = optionsOf<MemoryItem>({
  id: z.string(),
  text: z.string(),
  namespace: z.string(),
  at: z.number(),
})

const searchMemoryOptions = optionsOf<SearchMemoryOptions>({
  items: z.array(item).optional(),
  maxItems: z.int().min(1).optional(),
})

/** Memories that live as long as the agents that are loaded with them. Shared ones are the registry's. */
export const memories: Readonly<Record<string, Factory<Memory>>> = {
  searchMemory: declared(searchMemoryOptions, searchMemory),
}

type Remembering = RememberOptions & { backend: Step }
type NamespaceFn = Exclude<RememberOptions['namespace'], string>

const rememberOptions = (refs: Refs): z.ZodType<Remembering> =>
  optionsOf<Remembering>({
    backend: refs.step,
    memory: refs.memory,
    namespace: textOr<NamespaceFn>(refs),
    limit: z.int().min(1).optional(),
    extract: refs.fn<RememberOptions['extract']>().optional(),
    onError: refs.fn<RememberOptions['onError']>().optional(),
    timeoutMs: z.number().positive().optional(),
  })

/** Steps for memories of other runs. */
export const memorySteps: Readonly<Record<string, Factory<Step>>> = {
  remember: declared(rememberOptions, ({ backend, ...options }) => remember(backend, options)),
}
