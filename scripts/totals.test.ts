import { expect, test } from 'vitest'
import { countTests, totalsLine } from './totals.mjs'

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((each) => ({ status: each })),
})

test('counts what passed, failed and was left out', () => {
  const report = {
    numPassedTests: 2,
    numPendingTests: 1,
    numTodoTests: 1,
    testResults: [file('passed', 'passed'), file('failed', 'passed', 'failed', 'failed')],
  }

  expect(totalsLine(countTests(report, 1))).toBe('2 passed, 2 failed, 2 skipped')
})

test('a file that does not load is one failure beside the failed tests', () => {
  const report = { numPassedTests: 1, testResults: [file('failed'), file('failed', 'passed', 'failed')] }

  expect(totalsLine(countTests(report, 1))).toBe('1 passed, 2 failed')
})

test.each([undefined, { numPassedTests: 0, testResults: [] }])('a run that breaks off is one failure', (report) => {
  expect(totalsLine(countTests(report, 1))).toBe('0 passed, 1 failed')
})
