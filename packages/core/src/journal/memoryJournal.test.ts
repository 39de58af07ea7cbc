import { journalSuite } from '@interleave/testing'
import { it } from 'vitest'
import type { Journal } from '../journal.ts'
import { memoryJournal } from './memoryJournal.ts'

for (const { name, run } of journalSuite(() => memoryJournal())) it(name, run)

/** Its functions need to be called on it, as those of a class do. */
function methodical(): Journal {
  const kept = memoryJournal()
  const checked = Object.entries(kept).map(([name, method]) => [
    name,
    function (this: unknown, ...given: unknown[]) {
      if (this !== journal) throw new Error(`${name} is not called on its journal.`)
      return (method as (...given: unknown[]) => unknown)(...given)
    },
  ])
  const journal = Object.fromEntries(checked) as Journal
  return journal
}

it('is asked on the journal itself by the whole suite', async () => {
  for (const { run } of journalSuite(methodical)) await run()
})
