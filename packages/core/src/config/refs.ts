import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { z } from 'zod'
import type { ExternalAgent } from '../backends/externalAgent.ts'
import type { Agent, Step } from '../run.ts'
import type { CompactionStrategy } from '../steps/compact/strategy.ts'
import type { Memory } from '../steps/memory/memory.ts'
import type { AnyTool } from '../tool.ts'

/** Schemas for options that name something: they take the name and give what it stands for. */
export interface Refs {
  readonly step: z.ZodType<Step>
  readonly model: z.ZodType<LanguageModelV4>
  readonly tool: z.ZodType<AnyTool | object>
  /** A tool by its bare name, with the name. */
  readonly toolEntry: z.ZodType<readonly [string, AnyTool | object]>
  readonly agent: z.ZodType<Agent>
  readonly strategy: z.ZodType<CompactionStrategy>
  readonly memory: z.ZodType<Memory>
  readonly external: z.ZodType<ExternalAgent>
  /** A function of the registry. That it is of the right type is up to who registers it. */
  fn<Fn>(): z.ZodType<Fn>
}
