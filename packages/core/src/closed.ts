import { AgentError } from './error.ts'

/** The error of a handle that was closed in this process. The run may continue elsewhere. */
export const closed = (): AgentError =>
  new AgentError('stopped', 'This run was closed here. Open it again with resume().')
