import { permissionChanges } from '../../changes/permissions.ts'
import type { QuestionEngine } from '../../typedQuestion.ts'
import { questionEngineWith } from '../questions/engine.ts'
import { permissionFor } from './permissionFor.ts'

/** The code for questions of any kind: a reply to an approval may allow later calls too. */
export const approvalEngine: QuestionEngine = /* @__PURE__ */ questionEngineWith({
  changes: permissionChanges,
  permissionFor,
})
