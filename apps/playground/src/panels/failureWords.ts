import type { Failure } from '@interleave/core'

/** Returns the reason why a run failed, if it is not the model's, and what to do about it. */
export function failureWords({ code, message }: Failure): { title: string; explanation: string; steps: string[] } {
  switch (code) {
    case 'journal_full':
      return {
        title: 'There is no room to keep this run',
        explanation:
          'The browser gives this page no more storage, so the latest part of the run is only in this page. Do not close or reload it yet.',
        steps: ['Export the run if you need it.', 'Delete old runs.', 'Try again: the run resumes where it stopped.'],
      }
    case 'worker_failed':
      return {
        title: 'The worker of this run does not work',
        explanation: message,
        steps: ['Run it in this page: it resumes where it stopped.'],
      }
    case 'remote_failed':
      return {
        title: 'The server could not be reached',
        explanation: message,
        steps: ['Try again: the run continues on the server, and nothing is done twice.'],
      }
    case 'not_allowed':
      return {
        title: 'The server does not know this browser',
        explanation: message,
        steps: [
          'Give the access code of the device that began the run: choose “Run in: Server” for a new run.',
          'Then try again.',
        ],
      }
    default:
      return {
        title: 'The run failed',
        explanation: message,
        steps: ['Try again: the run resumes where it stopped.', 'Or send another message: nothing of the run is lost.'],
      }
  }
}
