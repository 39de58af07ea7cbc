import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { browserCases } from './browser/browserCases.ts'
import { nodeCases } from './nodeCases.ts'
import type { Result } from './sample.ts'
import { markdownTable } from './table.ts'

const file = path.resolve(import.meta.dirname, '../docs/benchmarks.md')
const mark = '<!-- What follows is written by `npm run bench`. -->'

const titles: readonly (readonly [name: string, title: string])[] = [
  ...[...nodeCases, ...browserCases].map(({ name, title }) => [name, title] as const),
  ['bundle', 'Bundle of an app'],
]

/** The tables of the document, from the whole record. */
export function toDocument(results: readonly Result[]): string {
  const [prose] = readFileSync(file, 'utf8').split(mark)
  const tables = titles.map(([name, title]) => {
    const same = results.filter((result) => result.case === name)
    return same.length > 0 ? `\n${markdownTable(title, same)}` : ''
  })
  return `${prose}${mark}\n${tables.join('')}`
}

export const writeDocument = (results: readonly Result[]): void => writeFileSync(file, toDocument(results))
