import { untilSettled } from '@interleave/test-kit/untilSettled'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agentTool } from '../agents/index.ts'
import { AgentError, agent, confirm, type Event, type Run, tool } from '../index.ts'
import { type Journal, memoryJournal } from '../journal/index.ts'

const inputSchema = z.object({})
const call = (name: string, input: object = {}) => ({ calls: [{ name, input }] })

/** A journal without room for events of this type, until there is room. */
function fullFor(type: Event['type'], isMeant: (id: string) => boolean = () => true) {
  const store = memoryJournal()
  const room = { isFull: true, refused: 0 }
  const journal: Journal = {
    ...store,
    append(id, events, options) {
      if (room.isFull && isMeant(id) && (room.refused > 0 || events.some((event) => event.type === type))) {
        room.refused++
        throw new AgentError('journal_full', 'There is no room.')
      }
      return store.append(id, events, options)
    },
  }
  return { journal, room }
}

const codeOf = (run: Run) =>
  run.state.signal?.type === 'failed' ? run.state.signal.error.code : run.state.signal?.type

it.each(['observed', 'claimed', 'thought', 'started', 'settled'] as const)(
  'asks nothing about a call of a child whose event %s found no room, however often it is resumed before there is room',
  async (type) => {
    const { journal, room } = fullFor(type, (id) => id !== 'r')
    let charged = 0
    const charge = tool({ inputSchema, execute: () => `charged ${++charged}` })
    const helper = agent({
      name: 'helper',
      model: scriptedModel(call('charge'), 'Charged.', 'Charged.'),
      tools: { charge },
    })
    const help = agentTool(helper, { description: 'Helps.' })
    const chief = agent({
      name: 'chief',
      model: scriptedModel(call('help', { task: 'Go' }), 'Done.', 'Done.'),
      tools: { help },
    })
    const run = chief.start('Go', { id: 'r', journal })

    await untilSettled(run, 'failed')
    for (let times = 0; times < 2; times++) {
      expect(codeOf(run)).toBe('journal_full')
      run.resume()
      await untilSettled(run, 'failed')
    }
    room.isFull = false
    run.resume()

    expect(await run.settled).toMatchObject({ type: 'answer' })
    expect(charged).toBe(1)
    expect(room.refused).toBeGreaterThan(1)
  },
)

it('asks nothing about a tool whose call found no room, however often the run is resumed before there is room', async () => {
  const { journal, room } = fullFor('claimed')
  let charged = 0
  const charge = tool({ inputSchema, execute: () => `charged ${++charged}` })
  const run = agent({ name: 'a', model: scriptedModel(call('charge'), 'Done.'), tools: { charge } }).start('Go', {
    id: 'r',
    journal,
  })
  for (let times = 0; times < 4; times++) {
    await untilSettled(run, 'failed')
    expect(codeOf(run)).toBe('journal_full')
    room.isFull = times < 3
    run.resume()
  }

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(charged).toBe(1)
})

it('asks nothing about a tool that was not given an answer for want of room', async () => {
  const { journal, room } = fullFor('replied')
  const done: string[] = []
  const book = tool({
    inputSchema,
    execute: async (_, { ask }) => {
      done.push(`booked ${await ask(confirm({ prompt: 'Book?' }))}`)
      return 'Booked.'
    },
  })
  const run = agent({ name: 'a', model: scriptedModel(call('book'), 'Done.'), tools: { book } }).start('Go', {
    id: 'r',
    journal,
  })
  await run.settled

  await expect(run.reply('1/tool/0/ask/0', true)).rejects.toThrow('no room')
  await untilSettled(run, 'failed')
  expect(codeOf(run)).toBe('journal_full')
  room.isFull = false
  run.resume()

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(done).toEqual(['booked true'])
})
