import type { Step } from '../../run.ts'
import { act } from '../../steps/act.ts'
import { remind } from '../../steps/remind.ts'
import { think } from '../../steps/think.ts'
import { declared, type Factory } from '../declared.ts'
import { noOptions } from '../noOptions.ts'
import { backends } from './backends.ts'
import { limitSteps } from './limits.ts'
import { stopRules } from './stop.ts'
import { actOptions, thinkOptions } from './thinking.ts'

/** The steps of this package that are made of plain options and of other names. */
export const steps: Readonly<Record<string, Factory<Step>>> = {
  ...backends,
  ...limitSteps,
  ...stopRules,
  think: declared(thinkOptions, think),
  act: declared(actOptions, act),
  remind: declared(noOptions, remind),
}
