import { agent, confirm, type Run, reasonAct, tool } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { fold } from '@interleave/core/observe'
import { connectPages } from '@interleave/test-kit/connectPages'
import { laws } from '@interleave/test-kit/laws'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { clientTool, workerHost } from './index.ts'

const inputSchema = z.object({})
const tools = {
  look: tool({ inputSchema, effect: 'readOnly', execute: () => ({ seen: [1, null, 'x'] }) }),
  ask: tool({ inputSchema, execute: (_, context) => context.ask(confirm({ prompt: 'Sure?' })) }),
  fail: tool({ inputSchema, execute: () => Promise.reject(new Error('broken')) }),
  show: clientTool({ inputSchema, effect: 'idempotent' }),
}

const turn = fc.oneof(
  fc.constant('Done.'),
  fc.constant(new Error('down')),
  fc.uniqueArray(fc.constantFrom('look', 'ask', 'fail', 'show'), { minLength: 1, maxLength: 3 }).map((names) => ({
    reasoning: 'Hm.',
    text: 'I try.',
    calls: names.map((name) => ({ name, input: {} })),
  })),
)
const deed = fc.constantFrom('reply', 'reply', 'say', 'stop', 'resume', 'open')

it('has in every page the state of the log, at every rest', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(turn, { minLength: 1, maxLength: 5 }),
      fc.array(deed, { maxLength: 6 }),
      async (turns, deeds) => {
        const journal = memoryJournal()
        const model = scriptedModel(...(turns as ScriptedTurn[]), 'Last.', 'Last.', 'Last.', 'Last.', 'Last.')
        const backend = reasonAct({ think: { retries: 0 } })
        const pages = connectPages(workerHost([agent({ name: 'a', model, tools, backend })], { journal }))
        const open = () => pages.open('a', { tools: { show: () => 'shown' } })
        const runs: Run[] = [open().agent.start('Go', { observers: [laws()] })]
        for (const next of deeds) {
          const run = runs.at(-1) as Run
          if (next !== 'stop') await run.settled
          if (next === 'open') runs.push(await open().agent.resume(run.id))
          else await act(run, next)
        }
        const states = await Promise.all(runs.map(async (run) => (await run.settled) && run))

        const kept = await journal.read(runs[0]?.id ?? '')
        for (const run of states) {
          await expect.poll(() => run.state.seq).toBe(kept.length)
          expect({ ...run.state, draft: undefined }).toEqual({ ...fold(kept), draft: undefined })
        }
      },
    ),
    { numRuns: 40 },
  )
})

async function act(run: Run, deed: 'reply' | 'say' | 'stop' | 'resume'): Promise<void> {
  const { signal, asks } = run.state
  if (deed === 'say') await run.say('More')
  if (deed === 'stop') await run.stop()
  if (deed === 'reply' && asks[0]) await run.reply(asks[0].id, true)
  if (deed === 'resume' && (signal?.type === 'failed' || signal?.type === 'stopped')) run.resume()
}
