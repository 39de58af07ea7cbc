import { laws } from '@interleave/test-kit/laws'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { AgentError, agent, tool } from '../index.ts'
import { type Journal, memoryJournal } from '../journal/index.ts'

const calls = (name: string): ScriptedTurn => ({ calls: [{ name, input: {} }] })
const lost = (): AgentError => new AgentError('journal_failed', 'The connection was lost.', { retryable: true })

type Fate = 'well' | 'lost' | 'late' | 'doubled' | 'refused'

/** A journal whose responses to claims and writes have these fates in turn, and then are well. */
function fatefulJournal(kept: Required<Journal>, fates: readonly Fate[]): Journal {
  let count = 0
  const meet = async <T>(work: () => T | PromiseLike<T>): Promise<T> => {
    const fate = fates[count++] ?? 'well'
    // Late is after the owner has looked for it, and possibly after it has written again.
    if (fate === 'late') setTimeout(() => void Promise.resolve().then(work).catch(ignore), 1 + (count % 3))
    if (fate === 'late' || fate === 'refused') throw lost()
    const done = await work()
    if (fate === 'lost') throw lost()
    return fate === 'doubled' ? work() : done
  }
  return {
    ...kept,
    append: (...write) => meet(() => kept.append(...write)),
    claim: (...claim) => meet(() => kept.claim(...claim)),
  }
}

/** Nobody waits for a late write. */
const ignore = (): void => {}

/** A host whose timers ring at once, so that a test does not wait for the repetitions. */
const hasty = {
  now: () => Date.now(),
  newId: () => crypto.randomUUID(),
  timer: (_: number, callback: () => void) => {
    const id = setTimeout(callback, 2)
    return () => clearTimeout(id)
  },
  perform: <T>(_: unknown, body: () => PromiseLike<T>) => body(),
}

const fate = fc.constantFrom<Fate>('well', 'lost', 'late', 'doubled', 'refused')

it('no run ends that no user has ended, and no effect is repeated, whatever becomes of the responses', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fate, { maxLength: 30 }), async (fates) => {
      let charged = 0
      const kept = memoryJournal()
      const charge = tool({ inputSchema: z.object({}), execute: () => `charged ${++charged}` })
      const model = scriptedModel(calls('charge'), calls('charge'), 'Done.')
      const run = agent({ name: 'a', model, tools: { charge } }).start('Go', {
        ...{ journal: fatefulJournal(kept, fates), host: hasty, observers: [laws()] },
      })

      expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
      expect(charged).toBe(2)
      expect(await kept.read(run.id)).toEqual(run.log)
    }),
    { numRuns: 150 },
  )
})
