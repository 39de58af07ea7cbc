import type { QuestionEngine } from '../../typedQuestion.ts'
import { askInCall } from './askInCall.ts'
import { Questions } from './openQuestions.ts'

/** Makes the code for questions of a kind. It is a function, since a bundler keeps an object that is spread. */
export const questionEngineWith = (more: Partial<QuestionEngine>): QuestionEngine => ({
  open: (desk) => new Questions(desk),
  askInCall,
  ...more,
})

/** The code for questions of any kind but approvals. */
export const questionEngine: QuestionEngine = /* @__PURE__ */ questionEngineWith({})
