import { readdirSync } from 'node:fs'
import path from 'node:path'

/** Directories that hold nothing that was written by hand. */
const skipped = new Set(['node_modules', 'dist', 'dist-profile'])

/**
 * Returns the files below a directory that are written by hand. Its own recursion would read all of node_modules.
 *
 * @param {string} folder
 * @returns {string[]}
 */
export function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) return skipped.has(entry.name) || entry.name.startsWith('.') ? [] : filesIn(file)
    return [file]
  })
}
