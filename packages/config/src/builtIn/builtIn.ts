import type { Step } from '@interleave/core'
import { act, think } from '@interleave/core/steps'
import { declared, type Factories, type Made } from '../schemas.ts'
import { backends, graphs } from './backends.ts'
import { guards, reflection, stopRules } from './guards.ts'
import { actOptions, limitSteps, thinkOptions } from './limits.ts'
import { compactionSteps, memories, memorySteps, strategies } from './memories.ts'
import { models, tools } from './tools.ts'

/** The steps of this package that are made of plain options and of other names. */
const steps: Factories<Step> = {
  ...backends,
  ...graphs,
  ...limitSteps,
  ...stopRules,
  ...guards,
  ...compactionSteps,
  ...memorySteps,
  ...reflection,
  think: declared(thinkOptions, think),
  act: declared(actOptions, act),
}

/** The names that configs may use without a registry, for values that this package makes from plain options. */
export const builtIn: {
  readonly models: Factories<Made['model']>
  readonly tools: Factories<Made['tool']>
  readonly steps: Factories<Step>
  readonly strategies: Factories<Made['strategy']>
  readonly memories: Factories<Made['memory']>
  readonly externals: Factories<Made['external']>
} = { models, tools, steps, strategies, memories, externals: {} }
