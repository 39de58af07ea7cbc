import type { Step } from '@interleave/core'
import { act, think } from '@interleave/core/steps'
import { declared, type Factory } from '../declared.ts'
import { backends } from './backends.ts'
import { compactionSteps } from './compaction.ts'
import { graphs } from './graphs.ts'
import { guards } from './guards.ts'
import { limitSteps } from './limits.ts'
import { memorySteps } from './memories.ts'
import { reflection } from './reflection.ts'
import { stopRules } from './stop.ts'
import { actOptions, thinkOptions } from './thinking.ts'

/** The steps of this package that are made of plain options and of other names. */
export const steps: Readonly<Record<string, Factory<Step>>> = {
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
