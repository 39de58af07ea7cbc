import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Agent, Step } from '@interleave/core'
import type { ExternalAgent } from '@interleave/core/agents'
import type { AnyTool } from '@interleave/core/internal'
import type { CompactionStrategy, Memory } from '@interleave/core/steps'
import { z } from 'zod'
import { builtIn } from './builtIn/builtIn.ts'
import { entry, type Known, named, nameIn } from './named.ts'
import type { Refs } from './refs.ts'
import type { Registry } from './registry.ts'

/** The schemas that look names up in a registry. Who holds the agents gives the schema for them. */
export function refsOf(registry: Registry, agent: z.ZodType<Agent>): Refs {
  const { models, tools, steps, strategies, memories, externals, functions } = registry
  const hasOwn = (from: keyof Registry): boolean => Object.keys(registry[from]).length > 0
  const kinds: Kinds = {
    model: { from: 'models', values: models, factories: builtIn.models },
    tool: { from: 'tools', values: tools, factories: builtIn.tools },
    step: { from: 'steps', values: {}, factories: { ...builtIn.steps, ...steps } },
    strategy: { from: 'strategies', values: strategies, factories: builtIn.strategies },
    memory: { from: 'memories', values: memories, factories: builtIn.memories },
    external: { from: 'externals', values: externals, factories: builtIn.externals },
  }
  const known = <Kind extends keyof Kinds>(kind: Kind): Kinds[Kind] & { kind: Kind; hasOwn: boolean } => ({
    ...kinds[kind],
    kind,
    hasOwn: hasOwn(kinds[kind].from),
  })
  const fn = nameIn({ from: 'functions', hasOwn: true }, Object.keys(functions))
  const refs: Refs = {
    // Steps are made of steps, and tools of agents: each is looked into when it is used.
    step: z.lazy(() => named(known('step'), refs)),
    model: z.lazy(() => named(known('model'), refs)),
    tool: z.lazy(() => named(known('tool'), refs)),
    toolEntry: z.lazy(() => entry(known('tool'), refs)),
    strategy: z.lazy(() => named(known('strategy'), refs)),
    memory: z.lazy(() => named(known('memory'), refs)),
    external: z.lazy(() => named(known('external'), refs)),
    agent,
    fn: <Fn>() => fn.transform((name) => functions[name] as Fn),
  }
  return refs
}

type Kinds = {
  readonly [Kind in keyof Made]: Omit<Known<Made[Kind]>, 'kind' | 'hasOwn'>
}
interface Made {
  readonly model: LanguageModelV4
  readonly tool: AnyTool | object
  readonly step: Step
  readonly strategy: CompactionStrategy
  readonly memory: Memory
  readonly external: ExternalAgent
}
