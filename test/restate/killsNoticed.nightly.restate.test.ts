import { mutants } from '@interleave/test-kit/chaos/mutants'
import { expect, it } from 'vitest'
import { needsRestate } from './needsRestate.ts'
import { closeTrials, cutOff, play } from './playKills.ts'
import { restateBinary } from './startRestate.ts'

needsRestate()
closeTrials()

/** Behind a fetch handler, where the host keeps all rules itself. On HTTP/2 Restate takes nothing more of an attempt that was followed. */
it.runIf(restateBinary).each(mutants)(
  'notices where it does not hold that $rule',
  { retry: 2 },
  async ({ rule, aim, lastMs }) => {
    const isFence = rule === mutants[0]?.rule
    const { faults } = await play(`Not that ${rule}`, {
      ...{ runs: 6, kills: 4, stuckAfterMs: 2_000, mode: 'fetch', rule, aim },
      kill: (it) => (isFence ? cutOff(it) : it.crew.kill(lastMs)),
    })

    expect(faults.filter((fault) => !fault.startsWith('stuck:'))).not.toEqual([])
  },
)
