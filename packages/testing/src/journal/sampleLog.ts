import type { Event } from '@interleave/core'
import type { EventBody } from '@interleave/core/steps'

/** A log of some length, as a run would write it; `at` is the time of its first event. */
export function sampleLog(runId: string, length: number, at = 1_000): Event[] {
  return Array.from({ length }, (_, seq) => ({ seq, at: at + seq, iteration: 0, ...bodyAt(seq, runId) }))
}

function bodyAt(index: number, runId: string): EventBody {
  if (index === 0) return { type: 'started', runId, agent: 'tester', version: '1' }
  if (index === 1) return { type: 'said', by: 'user', content: `Hello from ${runId}` }
  return { type: 'noted', key: `n${index}`, value: { index } }
}

/** The start of a run of some agent, at some time. */
export const startOf = (runId: string, agent: string, at: number): Event => ({
  ...{ seq: 0, at, iteration: 0 },
  ...{ type: 'started', runId, agent, version: '1' },
})
