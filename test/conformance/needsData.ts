import { it } from 'vitest'
import { dataFolder, hasData } from './data.ts'

/** The data is no part of the repository. Where a file of it is absent, one skipped test and a notice say so. */
export function needsData(file: string): void {
  if (hasData(file)) return
  console.info(`Skipped: ${file} is not in ${dataFolder}. CONFORMANCE_DIR names the folder of recorded data.`)
  it.skip(`holds the packages against ${file}`)
}
