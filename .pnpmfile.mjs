// What all packages say of themselves when they are packed: the keywords, and the addresses once the root package.json has them.

import { readFileSync } from 'node:fs'
import path from 'node:path'

const root = import.meta.dirname
const { keywords, repository, homepage } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))

/**
 * @param {object} manifest As the package has it.
 * @param {string} folder Of the package.
 */
const beforePacking = (manifest, folder) => ({
  ...manifest,
  keywords,
  ...(homepage && { homepage }),
  ...(repository && {
    repository: { ...repository, directory: path.relative(root, folder).replaceAll(path.sep, '/') },
  }),
})

export const hooks = { beforePacking }
