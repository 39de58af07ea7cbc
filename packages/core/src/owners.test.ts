import { laws } from '@interleave/test-kit/laws'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, isAgentError, type Run, tool } from './index.ts'
import { type Journal, memoryJournal } from './journal/index.ts'

/** Tabs that all stay alive and all take the run for theirs, on a journal that takes its time. */
function createTabs(scheduler: fc.Scheduler, kept: Required<Journal>, knowsOwners: boolean) {
  const later = () => scheduler.schedule(Promise.resolve())
  const charged: string[] = []
  const refused: string[] = []
  const journal: Journal = {
    ...kept,
    async append(id, events, options) {
      await later()
      await kept.append(id, events, options)
    },
    async read(id, from) {
      await later()
      return kept.read(id, from)
    },
    async claim(id, length) {
      await later()
      return kept.claim(id, length)
    },
  }
  if (!knowsOwners) delete journal.claim
  const execute = async (_: unknown, { idempotencyKey }: { idempotencyKey: string }) => {
    charged.push(idempotencyKey)
    await later()
    return 'charged'
  }
  const charge = tool({ inputSchema: z.object({}), execute })
  const model = () =>
    scriptedModel(
      ...Array.from(
        { length: 20 },
        (): ScriptedTurn =>
          async ({ prompt }) => {
            await later()
            const done = prompt.filter(({ role }) => role === 'tool').length
            return done < 3 ? { calls: [{ name: 'charge', input: { done } }] } : 'Done.'
          },
      ),
    )
  const open = async (): Promise<void> => {
    const described = agent({ name: 'a', model: model(), tools: { charge } })
    const isThere = (await kept.read('r')).length > 0
    const options = { journal, observers: [laws()] }
    await toEnd(isThere ? await described.resume('r', options) : described.start('Go', { id: 'r', ...options }))
  }
  /** Answers in each tab, as long as the reply is accepted. */
  const toEnd = async (run: Run): Promise<void> => {
    for (;;) {
      const signal = await run.settled
      if (signal.type === 'failed') refused.push(signal.error.code)
      if (signal.type !== 'inputNeeded') return
      try {
        await run.reply(signal.asks[0].id, 'skip')
      } catch (error) {
        if (isAgentError(error)) refused.push(error.code)
      }
    }
  }
  return { open, charged, refused }
}

it.each([true, false])(
  'does nothing twice in however many tabs, whether the journal knows owners: %s',
  async (knows) => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(fc.nat(12), { maxLength: 4 }), async (scheduler, waits) => {
        const kept = memoryJournal()
        const { open, charged, refused } = createTabs(scheduler, kept, knows)
        const tabs = [open()]
        for (const wait of waits) {
          for (let each = 0; each < wait && scheduler.count() > 0; each++) await scheduler.waitOne()
          tabs.push(open())
        }
        await scheduler.waitFor(Promise.all(tabs))
        await scheduler.waitFor(open())

        const log = await kept.read('r')
        expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index))
        expect(log.at(-1)).toMatchObject({ type: 'settled', signal: { type: 'answer' } })
        expect(charged).toEqual([...new Set(charged)])
        expect(charged.length).toBeLessThanOrEqual(3)
        expect(refused.filter((code) => code !== 'journal_conflict')).toEqual([])
      }),
      { numRuns: 100, timeout: 30_000 },
    )
  },
)
