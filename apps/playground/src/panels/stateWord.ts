import type { RunStatus } from '@interleave/react'

export type StateWord = 'idle' | 'working' | 'needs you' | 'done' | 'failed' | 'stopped'

/** Returns the status of a run, in a word. */
export function stateWord({ status, signal }: RunStatus): StateWord {
  if (status === 'waiting') return 'needs you'
  if (status !== 'resting') return status
  return signal.type === 'answer' ? 'done' : signal.type
}
