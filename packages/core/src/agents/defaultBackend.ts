import type { Step } from '../run.ts'
import { inOrder } from '../step.ts'
import { actStep } from '../steps/act.ts'
import { defaultPersistence } from '../steps/askModels.ts'
import { thinkStep } from '../steps/think.ts'
import { pauseAfter } from '../stop/atLimit.ts'
import { onOutput } from '../stop/text.ts'

/** Iterations for each message of the user, unless the app has limits of its own. */
export const defaultIterations = 20

/** The backend of an agent that names none: `reasonAct()` without the code of its options and of those of its steps. */
export const defaultBackend = (): Step =>
  inOrder(pauseAfter(defaultIterations), thinkStep(defaultPersistence), actStep(), onOutput(), otherwise)

const otherwise: Step = (run) => run.agent.output?.otherwise(run)
