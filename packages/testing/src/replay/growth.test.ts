import { agent, confirm, reasonAct, tool } from '@interleave/core'
import { exportRun } from '@interleave/core/journal'
import { lookedUntil } from '@interleave/test-kit/looked'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from '../scriptedModel.ts'
import { replayRun } from './replayRun.ts'

const look = tool({
  inputSchema: z.object({}),
  execute: async (_, { ask, once }) => {
    await once('look', () => 1)
    return ask(confirm({ prompt: 'Sure?' }))
  },
})

/** Returns the file of a run whose calls each note something and ask a question. */
async function fileOf(turns: number) {
  const model = scriptedModel(...Array(turns).fill({ calls: [{ name: 'look', input: {} }] }), 'Done.')
  const backend = reasonAct({ limits: { iterations: 1_000 } })
  const run = agent({ name: 'a', model, tools: { look }, backend }).start('Go')
  while ((await run.settled).type !== 'answer') for (const { id } of run.state.asks) await run.reply(id, true)
  return exportRun(run)
}

const searches = ['some', 'find', 'findLast', 'findIndex', 'findLastIndex', 'filter', 'flatMap'] as const

it('repeats a log twice as long with twice the work', async () => {
  const [short, long] = [await fileOf(100), await fileOf(200)]
  const replayed = (file: unknown) =>
    lookedUntil(searches, async () => expect((await replayRun(file)).difference).toBeUndefined())

  const once = await replayed(short)

  expect(await replayed(long)).toBeLessThan(2.2 * once + 100)
})
