import { memoryJournal } from '@interleave/core/journal'
import { floorInMemory } from '../keeping/floorInMemory.ts'
import { journalKeeper } from '../keeping/journalKeeper.ts'
import { keepRun } from '../keeping/keepRun.ts'
import { measureAppends } from '../keeping/measureAppends.ts'
import { measureGrowth } from '../keeping/measureGrowth.ts'
import { measureResumes } from '../keeping/measureResumes.ts'
import type { NodeCase } from '../nodeCase.ts'
import { createWorker } from '../subjects/interleave.ts'

/** The cost of storing a run in memory, and of loading it again. */
export const keeping: NodeCase = {
  name: 'keeping',
  title: 'A run kept in memory',
  subjects: ['floor', 'interleave'],
  async measure({ subject, kit, quick }) {
    const worker = createWorker(kit)
    const isFloor = subject.name === 'floor'
    const keeper = isFloor ? floorInMemory() : journalKeeper(worker, memoryJournal())
    const kept = await keepRun(worker, memoryJournal(), 1_000)
    return [
      ...(await measureAppends(keeper, { ...kept, durability: 'relaxed', metric: 'append of an iteration' })),
      ...(await measureResumes(keeper, kept.runId, quick ? 10 : 40)),
      ...(isFloor ? [] : await measureGrowth(worker, memoryJournal())),
    ]
  },
}
