import { readFileSync } from 'node:fs'
import path from 'node:path'

export const root: string = path.resolve(import.meta.dirname, '../..')

/** The code blocks of a document in one language, in order. */
export function codeBlocks(file: string, language: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8')
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].flatMap(([, kind, code]) =>
    kind === language && code !== undefined ? [code] : [],
  )
}
