import { AgentError } from './error.ts'

/** What is said of a run that was let go of in this place, and may go on in others. */
export const closed = (): AgentError =>
  new AgentError('stopped', 'This run was closed here. Open it again with resume().')
