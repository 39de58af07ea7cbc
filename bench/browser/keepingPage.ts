import { indexedDbJournal } from '@interleave/core/indexeddb'
import { type Durability, memoryJournal } from '@interleave/core/journal'
import { floorInIndexedDb } from '../keeping/floorInIndexedDb.ts'
import { journalKeeper } from '../keeping/journalKeeper.ts'
import { keepRun } from '../keeping/keepRun.ts'
import { measureAppends } from '../keeping/measureAppends.ts'
import { measureGrowth } from '../keeping/measureGrowth.ts'
import { measureResumes } from '../keeping/measureResumes.ts'
import { createKit } from '../kit.ts'
import type { Sample } from '../sample.ts'
import { createWorker } from '../subjects/interleave.ts'

declare global {
  /** The measurements of a page; called from outside of it. */
  var keeping: Keeping
}

interface Keeping {
  /** Keeps a run of so many iterations. */
  appends(durability: Durability, iterations: number): Promise<Appended>
  resumes(runId: string, times: number): Promise<readonly Sample[]>
  /** Returns the milliseconds of one resume. */
  resume(runId: string): Promise<number>
  growth(): Promise<readonly Sample[]>
}
interface Appended {
  readonly runId: string
  readonly samples: readonly Sample[]
}

/** Makes a page ready to keep runs, by ours or by the floor. */
export function serveKeeping(isFloor: boolean): void {
  const worker = createWorker(createKit())
  const keeper = isFloor ? floorInIndexedDb() : journalKeeper(worker, indexedDbJournal())
  globalThis.keeping = {
    async appends(durability, iterations) {
      const kept = await keepRun(worker, memoryJournal(), iterations)
      const metric = `append of an iteration, ${durability}`
      return { runId: kept.runId, samples: await measureAppends(keeper, { ...kept, durability, metric }) }
    },
    resumes: (runId, times) => measureResumes(keeper, runId, times),
    resume: async (runId) => (await keeper.resume(runId)).ms,
    growth: async () => (isFloor ? [] : measureGrowth(worker, indexedDbJournal({ name: 'growth' }))),
  }
}
