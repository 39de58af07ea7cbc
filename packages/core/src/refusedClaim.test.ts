import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agentTool } from './agents/index.ts'
import { isClaimed } from './call.ts'
import { AgentError, agent, tool } from './index.ts'
import { memoryJournal } from './journal/index.ts'
import { latestTurn } from './state.ts'

it('I5: a call that resumes counts as begun while its agent works, although its first claim was refused', async () => {
  const kept = memoryJournal()
  let refusals = 1
  const append: typeof kept.append = (id, events, options) => {
    if (events.some(({ type }) => type === 'claimed') && refusals-- > 0) throw new AgentError('journal_full', 'Full.')
    return kept.append(id, events, options)
  }
  const begun: boolean[] = []
  const look = tool({
    inputSchema: z.object({}),
    execute: () => {
      const [call] = latestTurn(run.state)?.calls ?? []
      begun.push(call !== undefined && isClaimed(call))
      return 'seen'
    },
  })
  const helper = agent({
    name: 'helper',
    model: scriptedModel({ calls: [{ name: 'look', input: {} }] }, 'Seen.'),
    tools: { look },
  })
  const run = agent({
    name: 'a',
    model: scriptedModel({ calls: [{ name: 'help', input: { task: 'Look' } }] }, 'Done.'),
    tools: { help: agentTool(helper, { description: 'Helps.' }) },
  }).start('Go', { journal: { ...kept, append } })

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'journal_full' } })
  run.resume()

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(begun).toEqual([true])
})
