import type { Event } from '@interleave/core'
import type { JournalStore } from '@interleave/core/journal'
import type { EventBody } from '@interleave/core/steps'

/** The requirements of a journal, by name. Each case gets an empty journal, and throws if it fails. */
export type JournalCases = Readonly<Record<string, (journal: JournalStore) => Promise<void>>>

/** Asserts that two values are equal as JSON with sorted keys, so that a store may keep members in any order. */
export function equal(actual: unknown, expected: unknown, of = ''): void {
  const [is, wanted] = [stable(actual), stable(expected)]
  if (is !== wanted) throw new Error(`Expected ${wanted.slice(0, 500)}\nbut got  ${is.slice(0, 500)} ${of}`.trim())
}

const stable = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    member && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort())
      : member,
  ) ?? 'undefined'

/** Asserts that a write is rejected with an error of this code, synchronously or later. */
export async function refuses(write: () => unknown, code = 'journal_conflict'): Promise<void> {
  try {
    await write()
  } catch (error) {
    equal((error as { code?: unknown }).code, code)
    return
  }
  throw new Error(`It was accepted, and must be refused with ${code}.`)
}

/** Returns a log of some length, as a run would write it; `at` is the time of its first event. */
export function sampleLog(runId: string, length: number, at = 1_000): Event[] {
  return Array.from({ length }, (_, seq) => ({ seq, at: at + seq, iteration: 0, ...bodyAt(seq, runId) }))
}

function bodyAt(index: number, runId: string): EventBody {
  if (index === 0) return { type: 'started', runId, agent: 'tester', version: '1' }
  if (index === 1) return { type: 'said', by: 'user', content: `Hello from ${runId}` }
  return { type: 'noted', key: `n${index}`, value: { index } }
}

/** Returns the first event of a run. */
export const startOf = (runId: string, agent: string, at: number): Event => ({
  ...{ seq: 0, at, iteration: 0 },
  ...{ type: 'started', runId, agent, version: '1' },
})
