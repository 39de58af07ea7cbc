// Which test files run when. A word in the name of a file leaves it to a slower command: x.soak.test.ts to
// `npm run test:soak`, x.nightly.e2e.test.ts to `npm run test:nightly`. All others run in `npm test`.

import path from 'node:path'
import { filesIn } from './filesIn.mjs'

/** Directories with tests. */
const folders = ['apps', 'bench', 'packages', 'scripts', 'test']

/** @typedef {'quick' | 'soak' | 'nightly' | 'all'} Tier */

/** The words in names of files. @type {Tier[]} */
const slowTiers = ['soak', 'nightly']

/** Returns true if the browser tests run in the other engines too. @param {string | undefined} tier */
export const hasAllEngines = (tier) => tier === 'soak' || tier === 'all'

/**
 * @param {string | undefined} name
 * @returns {name is Tier}
 */
export const isTier = (name) => name === 'quick' || name === 'all' || slowTiers.some((tier) => tier === name)

/**
 * Returns the patterns of a vitest project. In each pattern, the last part begins with `*.` if it matches slow files too.
 *
 * @param {Tier} tier
 * @param {string[]} include
 * @param {string[]} [exclude]
 */
export function select(tier, include, exclude = []) {
  const never = ['**/node_modules/**', ...exclude]
  if (tier === 'all') return { include, exclude: never }
  if (tier === 'quick') return { include, exclude: [...never, ...slowTiers.map((slow) => `**/*.${slow}.*`)] }
  const onlySlow = include
    .filter((pattern) => lastPart.test(pattern))
    .map((pattern) => pattern.replace(lastPart, `*.${tier}.$1`))
  return { include: onlySlow, exclude: never }
}

const lastPart = /(?<=\/)\*\.([^/]+)$/

/** Returns the files of the slow tiers below a directory of the repository, as paths relative to it. */
export function slowFiles(root) {
  return folders
    .flatMap((folder) => filesIn(path.join(root, folder)))
    .filter((file) => slowTiers.some((tier) => path.basename(file).includes(`.${tier}.`)))
    .map((file) => path.relative(root, file))
}
