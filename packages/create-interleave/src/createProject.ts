import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Release, releaseOf, withVersions } from './release.ts'
import { type Template, templates } from './templates.ts'

// The same path from src/ and from dist/.
const own = fileURLToPath(new URL('..', import.meta.url))
/** The release that this package is of. */
export const release: Release = releaseOf(readJson(path.join(own, 'package.json')).version)

/** Writes a template into a directory. Files of the same name are replaced, others remain. */
export function createProject(target: string, template: Template): void {
  for (const layer of templates[template].layers) {
    const source = path.join(own, 'templates', layer)
    for (const file of filesOf(source)) cpSync(path.join(source, file), path.join(target, installedName(file)))
  }
  const file = path.join(target, 'package.json')
  const manifest = { ...readJson(file), name: packageNameOf(target) }
  manifest.dependencies = withVersions(manifest.dependencies, release)
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Returns the content of a path: nothing that could be lost, a directory with files, or a file. */
export function contentOf(target: string): 'nothing' | 'files' | 'file' {
  if (!existsSync(target)) return 'nothing'
  if (!statSync(target).isDirectory()) return 'file'
  return readdirSync(target).some((name) => name !== '.git') ? 'files' : 'nothing'
}

/** Returns a name that npm accepts, from that of the directory. */
const packageNameOf = (target: string): string =>
  path
    .basename(target)
    .toLowerCase()
    .replaceAll(/[^a-z\d.~]+/g, '-')
    .replace(/^[.~-]+/, '')
    .replace(/-$/, '')
    .slice(0, 214) || 'my-agent'

interface Manifest {
  name: string
  version: string
  dependencies: Readonly<Record<string, string>>
}

function readJson(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8'))
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))

/**
 * Returns the name of an installed file: npm omits files such as .gitignore from a package, so templates have
 * _gitignore.
 */
const installedName = (file: string): string =>
  path.join(path.dirname(file), path.basename(file).replace(/^_(?=gitignore$|dev\.vars$)/, '.'))
