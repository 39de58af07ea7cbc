import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Agent, Step } from '@interleave/core'
import type { ExternalAgent } from '@interleave/core/agents'
import type { AnyTool } from '@interleave/core/internal'
import type { CompactionStrategy, Memory } from '@interleave/core/steps'
import type { z } from 'zod'

/** Schemas for options that name something: they accept the name and return its value. */
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
