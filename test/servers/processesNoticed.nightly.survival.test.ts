import { mutants } from '@interleave/test-kit/chaos/mutants'
import { expect, test } from 'vitest'
import { play, usePostgres } from './playProcesses.ts'

usePostgres()

/** The rules that several owners at once put to the test. Other hosts test the others. */
const shared = mutants.filter(({ rule }) => /owner|claimed/.test(rule))

test.each(shared)('is noticed where it does not hold that $rule', { retry: 3 }, async ({ rule, aim, lastMs }) => {
  // Only an owner that stays alive can break the first rule.
  const { faults } = await play({ runs: 8, kills: 12, rule, aim, lastMs, frozenMs: 1_500 })

  expect(faults.filter((fault) => !fault.startsWith('stuck:'))).not.toEqual([])
})
