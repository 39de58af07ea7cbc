import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { addTotals, argsToRunAgain, countTests, failuresOf, passesOf, totalsAfter, totalsLines } from './totals.mjs'

const file = (status: string, ...tests: string[]) => ({
  name: '/repo/a.test.ts',
  status,
  assertionResults: tests.map((each, at) => ({
    status: each,
    fullName: `test ${at}`,
    ancestorTitles: ['tests'],
    title: `costs $${at} (or 2)`,
  })),
})
const totalsLine = (totals: ReturnType<typeof countTests>) => totalsLines({ ...totals, failures: [] }).trimEnd()

test('counts what passed, failed and was omitted', () => {
  const report = {
    numPassedTests: 2,
    numPendingTests: 1,
    numTodoTests: 1,
    testResults: [file('passed', 'passed'), file('failed', 'passed', 'failed', 'failed')],
  }

  expect(totalsLine(countTests(report, 1))).toBe('2 passed, 2 failed, 2 skipped')
})

test('a file that does not load is one failure next to the failed tests', () => {
  const report = { numPassedTests: 1, testResults: [file('failed'), file('failed', 'passed', 'failed')] }

  expect(totalsLine(countTests(report, 1))).toBe('1 passed, 2 failed')
})

test('names each test that failed, and a file that does not load', () => {
  const testResults = [file('failed', 'passed', 'failed', 'failed'), file('failed'), file('passed', 'passed')]

  expect(failuresOf({ testResults }, '/repo')).toEqual(['a.test.ts > test 1', 'a.test.ts > test 2', 'a.test.ts'])
})

test.each([undefined, { numPassedTests: 0, testResults: [] }])('a run that breaks off is one failure', (report) => {
  expect(totalsLine(countTests(report, 1))).toBe('0 passed, 1 failed')
})

test('what failed is run again by its names, each file alone', () => {
  const report = { testResults: [file('failed', 'passed', 'failed'), file('passed', 'passed')] }

  expect(argsToRunAgain(report, '/repo')).toEqual([
    ...['a.test.ts', '--no-file-parallelism', '--pass-with-no-tests'],
    ...['--testNamePattern', '^(tests > costs \\$1 \\(or 2\\))$'],
  ])
})

test('a file that does not load is run again as a whole', () => {
  expect(argsToRunAgain({ testResults: [file('failed'), file('failed', 'failed')] }, '/repo')).not.toContain(
    '--testNamePattern',
  )
})

test.each([[[]], [Array.from({ length: 21 }, () => file('failed', 'failed'))]])(
  'nothing is run again if nothing failed, or too much',
  (testResults) => expect(argsToRunAgain({ testResults }, '/repo')).toBeUndefined(),
)

test('what passes in the second run has passed, and nothing else', () => {
  const first = { passed: 7, failed: 3, skipped: 1, failures: ['a > b', 'c > d', 'never run'] }
  const second = totalsAfter(first, { failures: ['c > d'], passes: ['a > b', 'a > c'] })

  expect(second).toEqual({ ...first, passed: 8, failed: 2, failures: ['c > d', 'never run'], passedAgain: ['a > b'] })
  expect(totalsLines(second)).toBe(
    'failed once, and passed when it was run alone: a > b\nfailed: c > d\nfailed: never run\n8 passed, 2 failed, 1 skipped\n',
  )
})

test('a test that fails in one engine of several has failed', () => {
  const first = { passed: 7, failed: 1, skipped: 0, failures: ['a > b'] }

  expect(totalsAfter(first, { failures: ['a > b'], passes: ['a > b'] })).toEqual({ ...first, passedAgain: [] })
})

test('names what passed, and files whose tests all passed', () => {
  const testResults = [
    file('passed', 'passed', 'skipped'),
    file('failed', 'passed', 'failed'),
    file('passed', 'skipped'),
  ]

  expect(passesOf({ testResults }, '/repo')).toEqual(['a.test.ts', 'a.test.ts > test 0', 'a.test.ts > test 0'])
})

test('adds up the last totals of several commands', () => {
  const quick = {
    name: 'quick',
    status: 0,
    output:
      '3 passed, 9 failed\nlater\nfailed once, and passed when it was run alone: e\n7000 passed, 0 failed, 2 skipped\nnote\n',
  }
  const soak = {
    name: 'soak',
    status: 1,
    output: 'failed: by itself\r\n> vitest run\r\nfailed: a > b\r\nfailed: c\r\n400 passed, 3 failed\r\n',
  }

  expect(addTotals([quick, soak])).toEqual({
    totals: { passed: 7400, failed: 3, skipped: 2, failures: ['a > b', 'c'], passedAgain: ['e'] },
    problems: [],
  })
})

test.each([
  [0, 'cloned\n2 passed, 0 failed of something\n', 'soak ended with status 0 and printed no totals.'],
  [137, '', 'soak ended with status 137 and printed no totals.'],
  [1, '5 passed, 0 failed\n', 'soak counted no failure but ended with status 1.'],
])('a command with status %i and the output %j is one failure', (status, output, problem) => {
  const quick = { name: 'quick', status: 0, output: '10 passed, 0 failed\n' }
  const { totals, problems } = addTotals([quick, { name: 'soak', status, output }])

  expect(problems).toEqual([problem])
  expect(totals).toMatchObject({ failed: 1, skipped: 0 })
})

test.each([
  ['10 passed, 0 failed\n', 0, '12 passed, 0 failed\n', 0],
  ['10 passed, 1 failed\n', 1, '12 passed, 1 failed\n', 1],
  ['broke off\n', 137, '2 passed, 1 failed\n', 1],
])('the sum is the last line, and its exit status is true: %j', (output, status, line, expected) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'totals-'))
  try {
    const [quick, soak] = ['quick', 'soak'].map((name) => path.join(folder, name)) as [string, string]
    writeFileSync(quick, '2 passed, 0 failed\n')
    writeFileSync(soak, output)
    const script = path.join(import.meta.dirname, 'addTotals.mjs')
    const ended = spawnSync(process.execPath, [script, 'quick', '0', quick, 'soak', `${status}`, soak], {
      encoding: 'utf8',
    })

    expect({ line: ended.stdout, status: ended.status }).toEqual({ line, status: expected })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
