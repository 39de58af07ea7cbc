import { it } from 'vitest'
import { hasData } from './data.ts'

/** Adds a skipped test that says why if a file of the data is absent, since the data is not part of the repository. */
export function needsData(file: string): void {
  if (hasData(file)) return
  it.skip(`holds the packages against ${file} (absent: CONFORMANCE_DIR names the folder of recorded data)`)
}
