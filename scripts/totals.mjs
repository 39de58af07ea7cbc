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
