import { AgentError } from './error.ts'
import { openCalls } from './openCalls.ts'
import type { RunState } from './state.ts'

/** The error for a function that continues after its call was abandoned: it cannot ask any more. */
export const callOver = (): AgentError =>
  new AgentError('stopped', 'This call is over: it was stopped, or its time was up.')

/** Throws when this is a call, and no open one. */
export function checkOpen(state: RunState, call: string | undefined): void {
  if (call !== undefined && !openCalls(state).some(({ key }) => key === call)) throw callOver()
}
