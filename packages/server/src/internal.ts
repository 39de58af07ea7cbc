/** Names that the other packages of Interleave use. They may change in any release. */

export { answerWithEvents } from './answerWithEvents.ts'
export type { Bodies } from './bodies.ts'
export { readBody, readText } from './bodies.ts'
export { type Client, type ClientPages, clientOf } from './clientPages.ts'
export { type RequestContext, takeRoom, withRun } from './context.ts'
export { answerRoutes, authenticate, openHandler, type Routed } from './createHandler.ts'
export { shownEvents } from './eventFrames.ts'
export { type FailureOptions, Failures } from './failures.ts'
export { forkedOf, forkRun } from './forkRun.ts'
export { checkLimits, handlerNames } from './handlerOptions.ts'
export { type RequestRoom, takeRequest, tooManyRuns, tooManyStreams } from './limiter.ts'
export { withOrigins } from './origins.ts'
export { listPermissions, removePermission } from './persistentPermissions.ts'
export { type AnswerOptions, answerProblem, json, type Problem, toProblem, unknownRun } from './problem.ts'
export { listRuns } from './readRuns.ts'
export { wasReasked } from './replyTokens.ts'
export { isRoutePath, runIdPattern } from './routes.ts'
export { ownerAndId, type RunNames, runNames } from './runNames.ts'
export { RunSource, type RunView } from './runSource.ts'
export { checkSecrets, digestOf, isEqual } from './signer.ts'
export { sqlJournal } from './sql/sqlJournal.ts'
export {
  listSummaries,
  putSummary,
  type SqlRow,
  type SqlStorage,
  type SqlTables,
  type SqlValue,
  sqlTables,
} from './sql/sqlTables.ts'
export { isBegunBy, startRun } from './startRun.ts'
