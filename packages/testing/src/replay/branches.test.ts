import { agent, approval, type Step, tool } from '@interleave/core'
import { END, graph, inOwnRun, parallel } from '@interleave/core/graph'
import { exportRun, memoryJournal } from '@interleave/core/journal'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from '../scriptedModel.ts'
import { replayRun } from './replayRun.ts'

it('replies to a child run where it did, while another branch works', async () => {
  const pay = tool({ inputSchema: z.object({}), approve: approval(), execute: () => 'Paid.' })
  const model = scriptedModel(({ prompt }) =>
    prompt.at(-1)?.role === 'tool' ? 'It is paid.' : { calls: [{ name: 'pay', input: {} }] },
  )
  const clerk = agent({ name: 'clerk', model, tools: { pay } })
  let end = (): void => {}
  const works: Step = async (run) => {
    await run.once('work', () => new Promise<null>((resolve) => (end = () => resolve(null))))
    return undefined
  }
  const work = parallel({ works, pays: inOwnRun(clerk, { input: 'Pay' }) })
  const backend = graph({ name: 'both', nodes: { work }, start: 'work', edges: { work: END } })
  const described = agent({ name: 'a', model: scriptedModel(), backend })
  const journal = memoryJournal()
  const run = described.start('Go', { id: 'r', journal })
  await expect.poll(() => run.state.asks).toHaveLength(1)
  const child = (await journal.list({ below: 'r' }))[0]?.runId ?? ''
  await expect.poll(async () => (await journal.read(child)).at(-1)?.type).toBe('settled')

  await run.reply(run.state.asks[0]?.id ?? '', { approved: true })
  end()
  await run.settled

  expect(await replayRun(await exportRun(journal, 'r'), { agent: described })).toMatchObject({ isSame: true })
})
