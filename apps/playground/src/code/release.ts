import { version } from '../../../../packages/create-interleave/package.json'
import { releaseOf } from '../../../../packages/create-interleave/src/release.ts'

/** The release that this page is of: it says how an app is created. */
export const release = releaseOf(version)
