import { existsSync } from 'node:fs'
import path from 'node:path'

const root = path.join(import.meta.dirname, '../..')

/** The folder of recorded data. CONFORMANCE_DIR names another one; a relative path starts at the repository. */
export const dataFolder: string = path.resolve(root, process.env.CONFORMANCE_DIR || '../shared/conformance')

/** Whether the data is there: it is no part of the repository, and without it there is nothing to compare with. */
export const hasData: boolean = existsSync(path.join(dataFolder, 'load.mjs'))
