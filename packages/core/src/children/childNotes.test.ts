import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agentTool } from '../agents/index.ts'
import { agent, type Event, type Run, reasonAct, tool } from '../index.ts'
import type { Call } from '../state.ts'

const inputSchema = z.object({})
const callOf = (run: Run): Call | undefined =>
  run.state.history.flat().flatMap((entry) => (entry.type === 'turn' ? entry.calls : []))[0]

it('keeps the log of a child in few notes, whole and in its order', async () => {
  const turns = Array.from({ length: 300 }, () => ({ calls: [{ name: 'look', input: {} }] }))
  const clerk = agent({
    name: 'clerk',
    model: scriptedModel(...turns, 'Seen.'),
    tools: { look: tool({ inputSchema, execute: () => 'seen', effect: 'readOnly' }) },
    backend: reasonAct({ limits: { iterations: 400, toolCalls: 400 } }),
  })
  const tools = { clerk: agentTool(clerk, { description: 'Looks.' }) }
  const model = scriptedModel({ calls: [{ name: 'clerk', input: { task: 'Look' } }] }, 'Done.')
  const run = agent({ name: 'boss', model, tools }).start('Go', { id: 'r' })

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })

  const noted = Object.entries(callOf(run)?.notes ?? {}).filter(([key]) => key.includes('>log/'))
  const log = noted.flatMap(([, value]) => value as unknown as Event[])
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index))
  expect(log.length).toBeGreaterThan(900)
  expect(noted.length).toBeLessThan(6)
})

it('does not take a result of once for the log of a child', async () => {
  const made: string[] = []
  const look = tool({
    inputSchema,
    execute: async (_, { once }) => {
      const make = async (key: string) => once(key, () => [made.push(key)])
      return [await make('a>log/0'), await make('a>log/1'), await make('a>log/1')]
    },
  })
  const model = scriptedModel({ calls: [{ name: 'look', input: {} }] }, 'Done.')
  const run = agent({ name: 'a', model, tools: { look } }).start('Go')

  await run.settled

  expect(callOf(run)?.result).toMatchObject({ value: [[1], [2], [2]] })
})
