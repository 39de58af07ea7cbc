import path from 'node:path'

/**
 * Returns the totals of one test run. A file that does not load, or a run that breaks off, has no failed test of its own
 * and still counts as one failure.
 *
 * @param {{ numPassedTests?: number, numPendingTests?: number, numTodoTests?: number,
 *   testResults?: { name: string, status: string, assertionResults: { status: string, fullName: string }[] }[] } | undefined} report
 *   Vitest's JSON report, or undefined where it did not get as far as writing one.
 * @param {number} status Its exit status.
 */
export function countTests(report, status) {
  const failed = failuresOf(report).length
  return {
    passed: report?.numPassedTests ?? 0,
    failed: status !== 0 && failed === 0 ? 1 : failed,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  }
}

/**
 * Names the tests of vitest's JSON report that failed, and the files that did not load, each as `file > test`.
 *
 * @param {{ testResults?: { name: string, status: string, assertionResults: { status: string, fullName: string }[] }[] } | undefined} report
 * @param {string} [root] What the names of files begin with, left out.
 */
export function failuresOf(report, root = '') {
  return (report?.testResults ?? []).flatMap(({ name, status, assertionResults }) => {
    const file = path.relative(root, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (failed.length > 0) return failed.map((test) => `${file} > ${test.fullName}`)
    return status === 'failed' ? [file] : []
  })
}

/**
 * Names the tests that passed, and the files all of whose tests passed.
 *
 * @param {Parameters<typeof failuresOf>[0]} report
 * @param {string} [root] What the names of files begin with, left out.
 */
export function passesOf(report, root = '') {
  return (report?.testResults ?? []).flatMap(({ name, status, assertionResults }) => {
    const file = path.relative(root, name)
    const passed = assertionResults.filter((test) => test.status === 'passed')
    const tests = passed.map((test) => `${file} > ${test.fullName}`)
    return status === 'passed' && passed.length > 0 ? [file, ...tests] : tests
  })
}

/** More files than these are not run again: then it is the code, not the machine. */
const mostAgain = 20

/**
 * Returns the arguments of vitest that run the failed tests of a report again, one file after the other; undefined if none
 * failed, or too many.
 *
 * @param {Parameters<typeof failuresOf>[0]} report
 * @param {string} root What the names of files begin with, left out.
 */
export function argsToRunAgain(report, root) {
  const files = (report?.testResults ?? []).filter(({ status }) => status === 'failed')
  if (files.length === 0 || files.length > mostAgain) return undefined
  const names = files.map(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed'))
  // A file that did not load has no tests to name.
  const isNamed = names.every((failed) => failed.length > 0)
  const pattern = names
    .flat()
    .map(({ ancestorTitles, title }) =>
      [...ancestorTitles, title].join(' > ').replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
    )
  return [
    ...files.map(({ name }) => path.relative(root, name)),
    ...['--no-file-parallelism', '--pass-with-no-tests'],
    ...(isNamed ? ['--testNamePattern', `^(${pattern.join('|')})$`] : []),
  ]
}

/**
 * Returns the totals of a run whose failed tests were run again: only what passed in the second run has passed.
 *
 * @param {{ passed: number, failed: number, skipped: number, failures: string[] }} first
 * @param {{ failures: string[], passes: string[] }} again Names of tests and files, as of {@link failuresOf}.
 */
export function totalsAfter(first, again) {
  const passedAgain = first.failures.filter((name) => again.passes.includes(name) && !again.failures.includes(name))
  const failures = first.failures.filter((name) => !passedAgain.includes(name))
  const failed = first.failed - passedAgain.length
  return { ...first, passed: first.passed + passedAgain.length, failed, failures, passedAgain }
}

/**
 * Returns a line for each failure and, last, the line of totals.
 *
 * @param {{ passed: number, failed: number, skipped: number, failures: string[], passedAgain?: string[] }} totals
 */
export function totalsLines({ passed, failed, skipped, failures, passedAgain = [] }) {
  const oneLine = (name) => name.replaceAll(/\s+/g, ' ')
  const lines = [
    ...passedAgain.map((name) => `failed once, and passed when it was run alone: ${oneLine(name)}\n`),
    ...failures.map((name) => `failed: ${oneLine(name)}\n`),
  ]
  return `${lines.join('')}${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`
}

/**
 * Adds up commands that each end with their failures and a line of totals. A command without totals, or one that failed
 * but counted no failure, counts as one failure.
 *
 * @param {{ name: string, status: number, output: string }[]} runs
 */
export function addTotals(runs) {
  const totals = { passed: 0, failed: 0, skipped: 0, failures: [], passedAgain: [] }
  const problems = []
  for (const { name, status, output } of runs) {
    const end = [...output.matchAll(ending)].at(-1)
    const [failures = '', ...counts] = end?.slice(1) ?? []
    const [passed, failed, skipped] = counts.map((count) => Number(count ?? 0))
    if (!end) problems.push(`${name} ended with status ${status} and printed no totals.`)
    else if (status !== 0 && failed === 0) problems.push(`${name} counted no failure but ended with status ${status}.`)
    totals.passed += passed ?? 0
    totals.failed += failed ?? 0
    totals.skipped += skipped ?? 0
    totals.failures.push(...[...failures.matchAll(/^failed: (.*?)\r?$/gm)].map(([, failure]) => failure))
    totals.passedAgain.push(...[...output.matchAll(again)].map(([, name]) => name))
  }
  totals.failed += problems.length
  return { totals, problems }
}

const again = /^failed once, and passed when it was run alone: (.*?)\r?$/gm
const ending = /((?:^failed: .*\r?\n)*)^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\r?$/gm
