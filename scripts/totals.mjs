/**
 * What one run of the tests came to. A file that does not load, or a run that breaks off, has no failed test of its own
 * and still counts as one failure.
 *
 * @param {{ numPassedTests?: number, numPendingTests?: number, numTodoTests?: number,
 *   testResults?: { status: string, assertionResults: { status: string }[] }[] } | undefined} report
 *   Vitest's JSON report, or undefined where it did not get as far as writing one.
 * @param {number} status Its exit status.
 */
export function countTests(report, status) {
  const files = report?.testResults ?? []
  const failed = files
    .map(
      (file) =>
        file.assertionResults.filter((test) => test.status === 'failed').length || Number(file.status === 'failed'),
    )
    .reduce((sum, count) => sum + count, 0)
  return {
    passed: report?.numPassedTests ?? 0,
    failed: status !== 0 && failed === 0 ? 1 : failed,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  }
}

/** @param {{ passed: number, failed: number, skipped: number }} totals */
export function totalsLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/**
 * Adds up commands that each end with a line of totals. A command without one, or one that failed but counted no failure,
 * counts as one failure.
 *
 * @param {{ name: string, status: number, output: string }[]} runs
 */
export function addTotals(runs) {
  const totals = { passed: 0, failed: 0, skipped: 0 }
  const problems = []
  for (const { name, status, output } of runs) {
    const line = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\r?$/gm)].at(-1)
    const [passed, failed, skipped] = line ? line.slice(1).map((count) => Number(count ?? 0)) : [0, 0, 0]
    if (!line) problems.push(`${name} ended with status ${status} and printed no totals.`)
    else if (status !== 0 && failed === 0) problems.push(`${name} counted no failure but ended with status ${status}.`)
    totals.passed += passed
    totals.failed += failed
    totals.skipped += skipped
  }
  totals.failed += problems.length
  return { totals, problems }
}
