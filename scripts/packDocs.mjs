// Copies the guide into a package before it is packed, for coding agents that read node_modules: node scripts/packDocs.mjs <folder>

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const docs = path.join(path.dirname(path.dirname(fileURLToPath(import.meta.url))), 'docs')
/** They are about this repository, or only for the site. */
const omitted = new Set(['architecture.md', 'benchmarks.md', 'index.md', 'requirements.md'])
const folders = ['.', 'tutorial']

/**
 * Writes the pages that users need. A link to what is not there becomes text.
 *
 * @param {string} out
 */
export function packDocs(out) {
  rmSync(out, { recursive: true, force: true })
  const pages = folders.flatMap((folder) =>
    readdirSync(path.join(docs, folder))
      .filter((name) => name.endsWith('.md') && !omitted.has(name))
      .map((name) => path.posix.join(folder, name)),
  )
  cpSync(path.join(docs, 'live'), path.join(out, 'live'), { recursive: true })
  const there = new Set([...pages, ...readdirSync(path.join(docs, 'live')).map((name) => `live/${name}`)])
  for (const page of pages) {
    const file = path.join(out, page)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, withLinksTo(there, page, readFileSync(path.join(docs, page), 'utf8')))
  }
}

/**
 * @param {Set<string>} there
 * @param {string} page
 * @param {string} text
 */
const withLinksTo = (there, page, text) =>
  text.replaceAll(/!?\[([^\]]*)\]\(([^)\s#]*)(#[^)\s]*)?\)/g, (link, words, target) => {
    if (target === '' || /^[a-z]+:/.test(target)) return link
    return there.has(path.posix.join(path.posix.dirname(page), target)) ? link : words
  })

const [, script, out] = process.argv
if (script === fileURLToPath(import.meta.url) && out) packDocs(path.resolve(out))
