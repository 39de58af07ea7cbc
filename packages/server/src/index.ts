export { pageTool } from '@interleave/connect/worker'
export { createHandler, type Handler } from './createHandler.ts'
export type { Action, Authorize, HandlerLimits, HandlerOptions, RequestedAction } from './handlerOptions.ts'
export type { Problem } from './problem.ts'
