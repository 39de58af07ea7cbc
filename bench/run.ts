// Measures ours against the least that does the same, and against another library, in one go.
//
//   npm run bench [-- --quick] [--case iteration,delta] [--only floor,interleave] [--rounds 5]

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { measureInBrowser } from './browser/measureInBrowser.ts'
import { openBrowser } from './browser/openBrowser.ts'
import { writeDocument } from './document.ts'
import { measureBundles } from './measureBundles.ts'
import { nodeCases } from './nodeCases.ts'
import { measureInNode } from './nodeWorker.ts'
import { type Result, type Sample, toResults } from './sample.ts'
import { subjectNames } from './subjects.ts'
import { table } from './table.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    case: { type: 'string' },
    only: { type: 'string' },
    rounds: { type: 'string' },
  },
})
const { quick } = values
const rounds = Number(values.rounds ?? (quick ? 1 : 5))
const subjects = values.only?.split(/,(?! )/) ?? subjectNames
const cases = values.case?.split(',') ?? [...nodeCases.map(({ name }) => name), 'browser', 'bundle']

type Measure = (subject: string) => Promise<readonly Sample[]>

/** Rounds go over all subjects, so that whatever disturbs the machine for a while disturbs each of them. */
async function inRounds(name: string, measure: Measure): Promise<Result[]> {
  const samples = new Map<string, Sample[]>(subjects.map((subject) => [subject, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [subject, taken] of samples) {
      taken.push(...(await measure(subject)))
      process.stderr.write(`${name}: ${subject}, ${round + 1} of ${rounds}\n`)
    }
  }
  return [...samples].flatMap(([subject, taken]) => toResults(name, subject, taken))
}

async function browserResults(): Promise<Result[]> {
  const { browser, urlOf, close } = await openBrowser(subjects)
  try {
    return await inRounds('browser', (subject) => measureInBrowser(browser, urlOf(subject), quick))
  } finally {
    await close()
  }
}

/** Replaces what was measured anew and keeps the rest. */
function save(fresh: readonly Result[]): void {
  const file = path.join(import.meta.dirname, 'results.json')
  const known: Result[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
  const isStale = (old: Result) => fresh.some(({ case: name, subject }) => name === old.case && subject === old.subject)
  const all = [...known.filter((old) => !isStale(old)), ...fresh]
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`)
  writeDocument(all)
}

const all: Result[] = []
const report = (title: string, results: readonly Result[]): void => {
  all.push(...results)
  process.stdout.write(table(title, results))
}
for (const { name, title } of nodeCases) {
  if (cases.includes(name)) report(title, await inRounds(name, (subject) => measureInNode(name, subject, quick)))
}
if (cases.includes('browser')) report('In Chromium', await browserResults())
if (cases.includes('bundle')) report('Bundle of an app', await measureBundles(subjects))
// A rough look is no record.
if (!quick) save(all)
