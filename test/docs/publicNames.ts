import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './codeBlocks.ts'
import type { Kind } from './namesOf.ts'

/** The entry point that exports a name. */
export interface PublicName {
  readonly from: string
  readonly kind: Kind
}

/** The entry points of a package, as its package.json declares them. */
function entriesOf(folder: string): { from: string; source: string }[] {
  const manifest = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as {
    name: string
    exports: Record<string, string | Record<string, string>>
  }
  return Object.entries(manifest.exports).flatMap(([entry, target]) => {
    if (entry === './internal' || entry === './shapes') return []
    const source = typeof target === 'object' ? target['@interleave/source'] : undefined
    if (!source || !/\.tsx?$/.test(source) || source.endsWith('.d.ts')) return []
    return [{ from: path.posix.join(manifest.name, entry), source: path.join(root, folder, source) }]
  })
}

const packageFolders = [
  'core',
  'connect',
  'server',
  'cloudflare',
  'restate',
  'text',
  'config',
  'mcp',
  'webmcp',
  'browser',
  'otel',
  'ai-sdk',
  'testing',
  'react',
  'devtools',
  'ag-ui',
].map((name) => `packages/${name}`)

/** Every name that the packages export. A name of two entry points is the one of the first. */
export function publicNames(): ReadonlyMap<string, PublicName> {
  const names = new Map<string, PublicName>()
  for (const { from, source } of packageFolders.flatMap(entriesOf)) {
    const text = readFileSync(source, 'utf8')
    for (const [, all, list = ''] of text.matchAll(/export (type )?\{([^}]*)\}/g)) {
      for (const each of list.split(',').map((name) => name.trim())) {
        const [, type, name] = /^(type )?(?:\w+ as )?(\w+)$/.exec(each) ?? []
        if (name && !names.has(name)) names.set(name, { from, kind: all || type ? 'type' : 'value' })
      }
    }
  }
  return names
}
