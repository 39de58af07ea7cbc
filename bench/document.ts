import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { browserCases } from './browser/browserCases.ts'
import { readCells } from './crash/document.ts'
import { nodeCases } from './nodeCases.ts'
import { badgesOf } from './plots/badges.ts'
import { type Plot, plotsOf } from './plots/plots.ts'
import type { Result } from './sample.ts'
import { markdownTable } from './table.ts'

const file = path.resolve(import.meta.dirname, '../docs/benchmarks.md')
const images = path.resolve(import.meta.dirname, '../docs/images')
const plotsMark = '<!-- The pictures are drawn by `npm run bench`. -->'
const proseMark = '<!-- End of the pictures. -->'
const tablesMark = '<!-- What follows is written by `npm run bench`. -->'

const titles: readonly (readonly [name: string, title: string])[] = [
  ...[...nodeCases, ...browserCases].map(({ name, title }) => [name, title] as const),
  ['bundle', 'Bundle of an app'],
]

const record = path.join(import.meta.dirname, 'results.json')

export const readResults = (): readonly Result[] => (existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : [])

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

/** The pictures and badges by their files. */
export function toPictures(results: readonly Result[]): ReadonlyMap<string, string> {
  const plots = plotsOf(results).map(({ file: name, picture }) => [`benchmarks/${name}.svg`, picture] as const)
  const badges = [...badgesOf(results, readCells())].map(([name, picture]) => [`badges/${name}.svg`, picture] as const)
  return new Map([...plots, ...badges].map(([name, picture]) => [path.join(images, name), picture]))
}

/** Writes the page, its pictures and the badges of the README. */
export function writeDocument(results: readonly Result[] = readResults()): void {
  writeFileSync(file, toDocument(results))
  for (const [place, picture] of toPictures(results)) {
    mkdirSync(path.dirname(place), { recursive: true })
    writeFileSync(place, picture)
  }
}
