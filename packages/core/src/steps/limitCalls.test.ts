import { laws } from '@interleave/test-kit/laws'
import { manualHost, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { agent, reasonAct, tool } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'
import { type CallRate, limitCalls } from './index.ts'

const calls = (n: number, name = 'look') => ({ calls: Array.from({ length: n }, () => ({ name, input: {} })) })

function looking(rate: CallRate, ...turns: ScriptedTurn[]) {
  let looked = 0
  const look = tool({ inputSchema: z.object({}), execute: () => ++looked })
  const other = tool({ inputSchema: z.object({}), execute: () => 'ok' })
  const model = scriptedModel(...turns)
  const looker = agent({
    name: 'a',
    model,
    tools: { look, other },
    backend: reasonAct({ between: [limitCalls({ look: rate })] }),
  })
  return { looker, model, looked: () => looked }
}

it('row 2: runs so many calls of a tool for each message, and tells the model of the others', async () => {
  const { looker, looked } = looking({ calls: 3 }, calls(2), calls(2), calls(9, 'other'), 'Done.', calls(4), 'Done.')
  const run = looker.start('Go', { observers: [laws()] })
  await run.settled
  const first = looked()

  await run.say('Again')
  await run.settled

  const refused = run.state.history.flat().flatMap((entry) => (entry.type === 'turn' ? entry.calls : []))
  expect([first, looked()]).toEqual([3, 6])
  expect(refused.flatMap(({ key, error }) => (error ? [[key, error.code]] : []))).toEqual([
    ['2/tool/1', 'too_many'],
    ['5/tool/3', 'too_many'],
  ])
})

it('row 2: runs so many within a time, over messages too', async () => {
  const host = manualHost()
  const { looker, looked } = looking({ calls: 2, ms: 1_000 }, calls(3), 'Done.', calls(1), 'Done.', calls(3), 'Done.')
  const run = looker.start('Go', { host })
  await run.settled
  await host.advance(999)
  await run.say('Again')
  await run.settled
  const before = looked()
  await host.advance(2)
  await run.say('Again')
  await run.settled

  expect([before, looked()]).toEqual([2, 4])
})

it('row 2: refuses the same calls after a reload in the middle of them', async () => {
  const journal = memoryJournal()
  const { looker } = looking({ calls: 2 }, calls(4), 'Done.')
  await looker.start('Go', { id: 'r', journal }).settled
  const events = await journal.read('r')

  for (let length = 3; length < events.length; length++) {
    const cut = memoryJournal()
    cut.append('r', events.slice(0, length))
    const { looker: again, looked } = looking({ calls: 2 }, 'Done.')
    await (await again.resume('r', { journal: cut })).settled

    const log = await cut.read('r')
    const refused = log.flatMap((event) => (event.type === 'observed' && event.error ? [event.call] : []))
    expect(refused).toEqual(['1/tool/2', '1/tool/3'])
    expect(looked()).toBeLessThanOrEqual(2)
  }
})

it.each([
  [{ calls: 0 }, 'above 0'],
  [{ calls: 1.5 }, 'whole number'],
  [{ calls: 1, ms: 0 }, 'must be a number above 0'],
])('refuses %j', (rate, problem) => {
  expect(() => limitCalls({ look: rate })).toThrow(problem)
})

it('fails where it names a tool that the agent does not have', async () => {
  const backend = reasonAct({ between: [limitCalls({ loook: { calls: 1 } })] })

  const signal = await agent({ name: 'a', model: scriptedModel('Done.'), backend }).start('Go').settled

  expect(signal).toMatchObject({ error: { message: expect.stringContaining('"loook"') } })
})

it('reads no turns from before the period, so that a long run stays fast', () => {
  const turns = [1, 2, 3, 8_500, 9_000].map((at) => ({ type: 'turn', at, iteration: at, calls: [{ name: 'look' }] }))
  const read = vi.fn(() => [])
  Object.defineProperty(turns[0], 'calls', { get: read })
  const state = { history: [turns], request: { iteration: 0 } }
  const run = { state, agent: { tools: { look: {} } }, host: { now: () => 9_000 } } as never

  limitCalls({ look: { calls: 5, ms: 1_000 } })(run)

  expect(read).not.toHaveBeenCalled()
})
