import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'

/** Adds a service worker to a build, with the list of all its files. There is none while developing. */
export function precache(): Plugin {
  let publicDir = ''
  return {
    name: 'precache',
    apply: 'build',
    enforce: 'post',
    configResolved(config) {
      publicDir = config.publicDir
    },
    buildStart() {
      const id = path.join(import.meta.dirname, 'serviceWorker.ts')
      this.emitFile({ type: 'chunk', id, fileName: worker })
    },
    generateBundle(_, bundle) {
      const chunk = bundle[worker]
      if (chunk?.type !== 'chunk') return this.error('The service worker is not in the build.')
      const files = [...Object.keys(bundle).filter((file) => isKept(file)), ...readdirSync(publicDir)].sort()
      const contents = Object.values(bundle).map((file) => (file.type === 'chunk' ? file.code : file.source))
      const version = createHash('sha256')
      for (const content of contents) version.update(content)
      const list = JSON.stringify({ version: version.digest('hex').slice(0, 12), files })
      chunk.code = chunk.code.replaceAll('__PRECACHED__', () => list)
    },
  }
}

const worker = 'sw.js'

/** The page itself is kept under its address. */
const isKept = (file: string): boolean => file !== worker && !file.endsWith('.html') && !file.endsWith('.map')
