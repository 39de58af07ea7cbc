// Kills agents in the middle of a payment, and counts what became of it. Its method is that of `docs/proof.md`.
//
//   npm run bench:crash [-- --k 100] [--only "Interleave, a tab"] [--only LangGraph] [--lanes 2] [--add]
//
// `--only` takes a part of a name. `--add` adds the trials to those that were made before.

import process from 'node:process'
import { parseArgs } from 'node:util'
import { writeDocument } from '../document.ts'
import { addCells, type Cell, keyOf, readCells, writeCells } from './document.ts'
import { isWrong, type Outcome } from './outcome.ts'
import type { OpenedSubject, Subject } from './subject.ts'
import { subjects } from './subjects.ts'
import { tryOnce } from './trial.ts'
import { barriers, isWhole, tools, World } from './world.ts'

const { values } = parseArgs({
  options: {
    k: { type: 'string', default: '100' },
    only: { type: 'string', multiple: true },
    lanes: { type: 'string', default: '2' },
    add: { type: 'boolean', default: false },
  },
})
const k = Number(values.k)
const lanes = Number(values.lanes)
const chosen = subjects.filter(({ name }) => values.only?.some((part) => name.includes(part)) ?? true)

const world = new World()
const url = await world.open()
for (const subject of chosen) {
  const opened = await subject.open({ world: url, lanes })
  try {
    const found = await tryAll(subject, opened)
    // Another process may have written some meanwhile.
    const cells = new Map(readCells().map((cell) => [keyOf(cell), cell]))
    for (const cell of found) {
      const before = cells.get(keyOf(cell))
      cells.set(keyOf(cell), values.add && before ? addCells(before, cell) : cell)
    }
    await writeCells([...cells.values()])
    writeDocument()
    const wrong = found.filter(({ counts }) => Object.keys(counts).some((each) => isWrong(each as Outcome)))
    if (subject.kind === 'own' && wrong.length > 0) fail(`${subject.name} did harm.`)
    if (subject.kind === 'control' && wrong.length === 0) fail(`No trial found that ${subject.name} is broken.`)
  } finally {
    await opened.close()
  }
}
if (!isWhole(world.entries)) fail('The ledger was changed.')
await world.close()

function fail(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}

async function tryAll({ name }: Subject, { begin, storeOf }: OpenedSubject): Promise<readonly Cell[]> {
  const found: Cell[] = []
  for (const tool of tools)
    for (const barrier of barriers) {
      const counts: Partial<Record<Outcome, number>> = {}
      let next = 0
      const lane = async (): Promise<void> => {
        while (next < k) {
          const run = `trial-of-${subjects.findIndex((each) => each.name === name)}-${tool}-${barrier}-${next++}`
          const outcome = await tryOnce(begin, world, url, { run, tool, barrier, store: storeOf?.(run) ?? '' })
          counts[outcome] = (counts[outcome] ?? 0) + 1
        }
      }
      // One trial goes before the others, since it may create tables.
      await Promise.all(Array.from({ length: found.length === 0 ? 1 : lanes }, lane))
      process.stderr.write(`${name}, ${tool}, ${barrier}: ${JSON.stringify(counts)}\n`)
      found.push({ subject: name, tool, barrier, trials: k, counts })
    }
  return found
}
