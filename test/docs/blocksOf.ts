import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './codeBlocks.ts'

/** A block of code on a page. */
export interface Block {
  /** The page's path, from the root of the repository. */
  readonly page: string
  /** The line of the first line of code. */
  readonly line: number
  readonly language: string
  readonly code: string
  /** The name of its file, if its first line is a comment that begins with one. */
  readonly file: string | undefined
}

const packages = readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}/README.md`)

/** The files of a folder and of those below it. The reference is made of the sources, and none of it is in the repository. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`
    if (!entry.isDirectory()) return [file]
    return /^(node_modules|reference|\..*)$/.test(entry.name) ? [] : filesIn(file)
  })
}

/** Every page that users read. */
export const pages: readonly string[] = ['README.md', ...filesIn('docs').toSorted(), ...packages].filter((name) =>
  name.endsWith('.md'),
)

const languages = /^(ts|tsx|js|jsx|mjs|cjs|mts|cts|typescript|javascript)$/

/**
 * The blocks of a page that are code in JavaScript or TypeScript. A fence may be indented, as in a list. Code of another
 * library has a fence that says `peer`, such as `tsx peer`: it imports packages that this repository does not install.
 */
export function blocksOf(page: string, of: 'ours' | 'peers' = 'ours'): readonly Block[] {
  const text = readFileSync(path.join(root, page), 'utf8')
  return [...text.matchAll(/^( *)(`{3,}|~{3,})([^\n`]*)\n([\s\S]*?)^ *\2 *$/gm)].flatMap(
    ([, indent = '', , info = '', body = ''], index, all) => {
      const [language = '', mark] = info.trim().toLowerCase().split(/[\s{]/)
      if (!languages.test(language) || (mark === 'peer') !== (of === 'peers')) return []
      const line = text.slice(0, all[index]?.index).split('\n').length + 1
      const code = body.replaceAll(new RegExp(`^ {0,${indent.length}}`, 'gm'), '')
      return [{ page, line, language, code, file: /^\/\/ ([\w.-]+\.[mc]?[jt]sx?)\b/.exec(code)?.[1] }]
    },
  )
}
