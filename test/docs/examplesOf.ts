import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Block } from './blocksOf.ts'
import { root } from './codeBlocks.ts'

/** The code after each `@example` of a source file, as modules of their own. */
export function examplesOf(source: string): readonly Block[] {
  const text = readFileSync(path.join(root, source), 'utf8')
  return [...text.matchAll(/\/\*\*(?:(?!\*\/)[\s\S])*?@example\n([\s\S]*?)\*\//g)].map(
    ([whole, body = ''], index, all) => {
      const line = text.slice(0, (all[index]?.index ?? 0) + whole.indexOf(body)).split('\n').length
      const code = body.replaceAll(/^ *\* ?/gm, '').trim()
      return { page: source, line, language: 'tsx', code: moduleOf(code), file: undefined }
    },
  )
}

/** A fragment as an editor shows it is a part of a component, of an object or of JSX. */
function moduleOf(code: string): string {
  if (/^(?:.*\s)?return\b/m.test(code)) return `export async function Example() { ${code}\n}`
  if (/^\w+: /.test(code)) return `export const example = { ${code} }`
  if (code.startsWith('{')) return `export const example = <>${code}</>`
  return code
}
