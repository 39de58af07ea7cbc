import { it } from 'vitest'
import { restateBinary } from './restateBinary.ts'

/** Adds a skipped test that says why, if the tests of a file are skipped because Restate is not installed. */
export function needsRestate(): void {
  if (!restateBinary) it.skip('runs on Restate (skipped: it is not installed for this platform)')
}
