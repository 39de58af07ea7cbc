import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { browserCases } from './browser/browserCases.ts'
import { nodeCases } from './nodeCases.ts'
import { type Plot, plotsOf } from './plots/plots.ts'
import type { Result } from './sample.ts'
import { markdownTable } from './table.ts'

const file = path.resolve(import.meta.dirname, '../docs/benchmarks.md')
const pictures = path.resolve(import.meta.dirname, '../docs/images/benchmarks')
const plotsMark = '<!-- The pictures are drawn by `npm run bench`. -->'
const proseMark = '<!-- End of the pictures. -->'
const tablesMark = '<!-- What follows is written by `npm run bench`. -->'

const titles: readonly (readonly [name: string, title: string])[] = [
  ...[...nodeCases, ...browserCases].map(({ name, title }) => [name, title] as const),
  ['bundle', 'Bundle of an app'],
]

/** The page with its pictures and tables, from the whole record. */
export function toDocument(results: readonly Result[]): string {
  const written = readFileSync(file, 'utf8')
  const [head = ''] = written.split(plotsMark)
  const [prose = ''] = (written.split(proseMark)[1] ?? '').split(tablesMark)
  const tables = titles.map(([name, title]) => {
    const same = results.filter((result) => result.case === name)
    return same.length > 0 ? `\n${markdownTable(title, same)}` : ''
  })
  const shown = plotsOf(results).map(section).join('\n')
  return `${head}${plotsMark}\n\n${shown}\n${proseMark}${prose}${tablesMark}\n${tables.join('')}`
}

const section = ({ file: name, heading, sentence }: Plot): string =>
  `### ${heading}\n\n${sentence}\n\n![${heading}](images/benchmarks/${name}.svg)\n`

/** The pictures by their files. */
export function toPictures(results: readonly Result[]): ReadonlyMap<string, string> {
  return new Map(plotsOf(results).map(({ file: name, picture }) => [path.join(pictures, `${name}.svg`), picture]))
}

export function writeDocument(results: readonly Result[]): void {
  writeFileSync(file, toDocument(results))
  mkdirSync(pictures, { recursive: true })
  for (const [place, picture] of toPictures(results)) writeFileSync(place, picture)
}
