import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Step } from '@interleave/core'
import type { ExternalAgent } from '@interleave/core/agents'
import type { AnyTool } from '@interleave/core/internal'
import type { CompactionStrategy, Memory } from '@interleave/core/steps'
import type { Factory } from '../declared.ts'
import { memories } from './memories.ts'
import { models } from './models.ts'
import { steps } from './steps.ts'
import { strategies } from './strategies.ts'
import { tools } from './tools.ts'

/** Names that configs may use without a registry: what this package makes from plain options. */
export const builtIn: {
  readonly models: Readonly<Record<string, Factory<LanguageModelV4>>>
  readonly tools: Readonly<Record<string, Factory<AnyTool | object>>>
  readonly steps: Readonly<Record<string, Factory<Step>>>
  readonly strategies: Readonly<Record<string, Factory<CompactionStrategy>>>
  readonly memories: Readonly<Record<string, Factory<Memory>>>
  readonly externals: Readonly<Record<string, Factory<ExternalAgent>>>
} = { models, tools, steps, strategies, memories, externals: {} }
