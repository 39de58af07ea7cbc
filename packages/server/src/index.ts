export { clientTool } from '@interleave/connect/worker'
export { createHandler, type Handler } from './createHandler.ts'
export type { ServerFailure } from './failures.ts'
export type {
  Action,
  Authorize,
  ContextOf,
  HandlerLimits,
  HandlerOptions,
  RequestedAction,
  UserWithContext,
} from './handlerOptions.ts'
export type { Problem } from './problem.ts'
