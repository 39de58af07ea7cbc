// Which test files run when. `.soak.` in the name of a file leaves it to `npm run test:soak`: x.soak.test.ts, x.soak.e2e.test.ts.

import { readdirSync } from 'node:fs'
import path from 'node:path'

/** Directories with tests, and those inside them that hold none. */
const folders = ['apps', 'bench', 'packages', 'scripts', 'test']
const skipped = new Set(['node_modules', 'dist', 'dist-profile'])

/**
 * Returns the patterns of a vitest project. In each pattern, the last part begins with `*.` if it matches soak files too.
 *
 * @param {'no' | 'only' | 'too'} soak Whether soak files run.
 * @param {string[]} include
 * @param {string[]} [exclude]
 */
export function select(soak, include, exclude = []) {
  const never = ['**/node_modules/**', ...exclude]
  if (soak === 'too') return { include, exclude: never }
  if (soak === 'no') return { include, exclude: [...never, '**/*.soak.*'] }
  const onlySoak = include
    .filter((pattern) => lastPart.test(pattern))
    .map((pattern) => pattern.replace(lastPart, '*.soak.$1'))
  return { include: onlySoak, exclude: never }
}

const lastPart = /(?<=\/)\*\.([^/]+)$/

/** Returns the soak files below a directory of the repository, as paths relative to it. */
export function soakFiles(root) {
  return folders
    .flatMap((folder) => filesIn(path.join(root, folder)))
    .filter((file) => path.basename(file).includes('.soak.'))
    .map((file) => path.relative(root, file))
}

/** @returns {string[]} */
function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) return skipped.has(entry.name) || entry.name.startsWith('.') ? [] : filesIn(file)
    return [file]
  })
}
