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
 * Returns a line for each failure and, last, the line of totals.
 *
 * @param {{ passed: number, failed: number, skipped: number, failures: string[] }} totals
 */
export function totalsLines({ passed, failed, skipped, failures }) {
  const lines = failures.map((name) => `failed: ${name.replaceAll(/\s+/g, ' ')}\n`)
  return `${lines.join('')}${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`
}

/**
 * Adds up commands that each end with their failures and a line of totals. A command without totals, or one that failed
 * but counted no failure, counts as one failure.
 *
 * @param {{ name: string, status: number, output: string }[]} runs
 */
export function addTotals(runs) {
  const totals = { passed: 0, failed: 0, skipped: 0, failures: [] }
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
  }
  totals.failed += problems.length
  return { totals, problems }
}

const ending = /((?:^failed: .*\r?\n)*)^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\r?$/gm
