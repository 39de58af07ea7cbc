// Kills agents in the middle of a payment, and counts what became of it. Its method is that of `docs/proof.md`.
//
//   npm run bench:crash [-- --k 100] [--only "a tab,LangGraph"] [--lanes 2]

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { type Cell, readCells, writeProof } from './document.ts'
import type { Outcome } from './outcome.ts'
import { type OpenedSubject, type Subject, subjects } from './subjects.ts'
import { tryOnce } from './trial.ts'
import { barriers, isWhole, tools, World } from './world.ts'

const { values } = parseArgs({
  options: {
    k: { type: 'string', default: '100' },
    only: { type: 'string' },
    lanes: { type: 'string', default: '2' },
  },
})
const k = Number(values.k)
const chosen = subjects.filter(({ name }) => !values.only || values.only.split(',').some((part) => name.includes(part)))

const world = new World()
const url = await world.open()
const cells = new Map(readCells().map((cell) => [keyOf(cell), cell]))
for (const subject of chosen) {
  const opened = await subject.open()
  try {
    for (const cell of await tryAll(subject, opened)) cells.set(keyOf(cell), cell)
  } finally {
    await opened.close()
  }
}
if (!isWhole(world.entries)) throw new Error('The ledger was changed.')
await world.close()
writeFileSync(path.join(import.meta.dirname, 'results.json'), `${JSON.stringify([...cells.values()], undefined, 2)}\n`)
writeProof([...cells.values()])

function keyOf({ subject, tool, barrier }: Cell): string {
  return `${subject} ${tool} ${barrier}`
}

async function tryAll(subject: Subject, opened: OpenedSubject): Promise<readonly Cell[]> {
  const found: Cell[] = []
  for (const tool of tools)
    for (const barrier of barriers) {
      const counts: Partial<Record<Outcome, number>> = {}
      let next = 0
      const lane = async (): Promise<void> => {
        while (next < k) {
          const run = `${subjects.indexOf(subject)}-${tool}-${barrier}-${next++}`
          const outcome = await tryOnce(opened.begin, world, url, { run, tool, barrier, store: opened.storeOf(run) })
          counts[outcome] = (counts[outcome] ?? 0) + 1
        }
      }
      // One trial goes before the others, since it may create tables.
      await Promise.all(Array.from({ length: found.length === 0 ? 1 : Number(values.lanes) }, lane))
      process.stderr.write(`${subject.name}, ${tool}, ${barrier}: ${JSON.stringify(counts)}\n`)
      found.push({ subject: subject.name, tool, barrier, trials: k, counts })
    }
  return found
}
