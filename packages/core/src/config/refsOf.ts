import { z } from 'zod'
import type { Agent } from '../run.ts'
import { builtIn } from './builtIn/builtIn.ts'
import { entry, named } from './named.ts'
import type { Refs } from './refs.ts'
import type { Registry } from './registry.ts'

/** The schemas that look names up in a registry. Who holds the agents gives the schema for them. */
export function refsOf({ models, tools, steps }: Registry, agent: z.ZodType<Agent>): Refs {
  const tool = { kind: 'tool', values: tools as Record<string, object>, factories: builtIn.tools }
  const refs: Refs = {
    // Steps are made of steps, and tools of agents: each is looked into when it is used.
    step: z.lazy(() => named({ kind: 'step', values: {}, factories: { ...builtIn.steps, ...steps } }, refs)),
    model: z.lazy(() => named({ kind: 'model', values: models, factories: builtIn.models }, refs)),
    tool: z.lazy(() => named(tool, refs)),
    toolEntry: z.lazy(() => entry(tool, refs)),
    agent,
  }
  return refs
}
