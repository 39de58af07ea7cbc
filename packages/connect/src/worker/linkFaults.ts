import { AgentError } from '@interleave/core'
import { messageOf } from '@interleave/core/internal'

/* Why a worker cannot be reached, and what to do about it. */

const advice = 'Make a new worker, and resume the run with a workerAgent() of that one.'
const fault = (message: string): AgentError => new AgentError('worker_failed', message, { retryable: true })

export const gone = (): AgentError => fault(`The worker is gone: it crashed, or was terminated. ${advice}`)

export const unreadable = (): AgentError => fault(`The worker sent what this page cannot read. ${advice}`)

export const silent = (): AgentError =>
  fault('The worker does not answer. Does its file call workerHost(), and before anything that it awaits?')

/** Returns the error of a worker's `error` event. A file that cannot be loaded gives no details. */
export function notStarted(event: Event): AgentError {
  const { message, error } = event as Partial<ErrorEvent>
  const why = message || (error ? messageOf(error) : 'its file could not be loaded')
  return fault(`The worker did not start: ${why}. Look at its address, and at its own errors in the console.`)
}
