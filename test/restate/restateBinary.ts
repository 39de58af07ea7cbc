import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** The program, where it was installed. Its package leaves out platforms that it is not made for. */
export const restateBinary: string | undefined = findBinary()

export const notice = 'Restate is not installed for this platform: its tests are skipped.'

function findBinary(): string | undefined {
  const name = `@restatedev/restate-server-${process.platform}-${process.arch}`
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('@restatedev/restate-server/package.json'))
    const file = path.join(path.dirname(require.resolve(`${name}/package.json`)), 'bin', 'restate-server')
    return existsSync(file) ? file : undefined
  } catch {
    return undefined
  }
}
