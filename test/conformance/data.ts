import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'

const root = path.join(import.meta.dirname, '../..')

/** The folder of recorded data. CONFORMANCE_DIR names another one; a relative path starts at the repository. */
export const dataFolder: string = path.resolve(root, process.env.CONFORMANCE_DIR || '../shared/conformance')

if (process.env.CONFORMANCE_DIR && !existsSync(dataFolder)) {
  throw new Error(`CONFORMANCE_DIR names ${dataFolder}, which is not there. Correct it, or leave it out.`)
}

/**
 * Returns true if a file of the data is present. None is part of the repository, and a set may contain only some of
 * them.
 */
export const hasData = (file: string): boolean => existsSync(path.join(dataFolder, file))

export const readBytes = (file: string): Buffer => readFileSync(path.join(dataFolder, file))

/** The rows of a `.jsonl` file, gzipped or not. None where the file is absent. */
export function readRows<Row>(file: string): Row[] {
  if (!hasData(file)) return []
  const bytes = readBytes(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Row)
}
