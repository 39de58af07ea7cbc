// Measures ours against the least that does the same, and against another library, in one go.
//
//   npm run bench [-- --quick] [--case iteration,delta] [--only floor,interleave] [--rounds 5]

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import type { BrowserCase } from './browser/browserCase.ts'
import { browserCases } from './browser/browserCases.ts'
import { openBrowser } from './browser/openBrowser.ts'
import { readResults, writeDocument } from './document.ts'
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
const only = values.only?.split(/,(?! )/)
const cases = values.case?.split(',') ?? [...[...nodeCases, ...browserCases].map(({ name }) => name), 'bundle']

type Case = Pick<BrowserCase, 'name' | 'subjects'>
type Measure = (subject: string) => Promise<readonly Sample[]>

const subjectsOf = ({ subjects = subjectNames }: Case): string[] =>
  subjects.filter((name) => only?.includes(name) ?? true)

/** Rounds go over all subjects, so that whatever disturbs the machine for a while disturbs each of them. */
async function inRounds(chosen: Case, measure: Measure): Promise<Result[]> {
  const { name } = chosen
  const samples = new Map<string, Sample[]>(subjectsOf(chosen).map((subject) => [subject, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [subject, taken] of samples) {
      taken.push(...(await measure(subject)))
      process.stderr.write(`${name}: ${subject}, ${round + 1} of ${rounds}\n`)
    }
  }
  return [...samples].flatMap(([subject, taken]) => toResults(name, subject, taken))
}

async function browserResults(chosen: BrowserCase): Promise<Result[]> {
  const { browser, urlOf, close } = await openBrowser(subjectsOf(chosen), chosen.moduleOf)
  const measure = async (subject: string): Promise<readonly Sample[]> => {
    const context = await browser.newContext()
    try {
      const page = await context.newPage()
      await page.goto(urlOf(subject))
      return await chosen.measure(page, quick)
    } finally {
      await context.close()
    }
  }
  try {
    return await inRounds(chosen, measure)
  } finally {
    await close()
  }
}

/** Replaces what was measured anew and keeps the rest. */
function save(fresh: readonly Result[]): void {
  const isStale = (old: Result) => fresh.some(({ case: name, subject }) => name === old.case && subject === old.subject)
  const all = [...readResults().filter((old) => !isStale(old)), ...fresh]
  writeFileSync(path.join(import.meta.dirname, 'results.json'), `${JSON.stringify(all, null, 2)}\n`)
  writeDocument(all)
}

function report(title: string, results: readonly Result[]): void {
  process.stdout.write(table(title, results))
  // A rough look is no record. Each case is kept, whatever happens to the next one.
  if (!quick) save(results)
}
for (const each of nodeCases.filter(({ name }) => cases.includes(name))) {
  report(each.title, await inRounds(each, (subject) => measureInNode(each.name, subject, quick)))
}
for (const each of browserCases.filter(({ name }) => cases.includes(name))) {
  report(each.title, await browserResults(each))
}
if (cases.includes('bundle')) report('Bundle of an app', await measureBundles(only))
