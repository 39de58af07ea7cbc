import type { Event } from '@interleave/core'
import { agent, choice, tool } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { foundWords } from './found.ts'

const pick = tool({
  inputSchema: z.object({}),
  execute: (_, { ask }) => ask(choice({ prompt: 'Which?', options: ['a', 'b'] })),
})
const look = tool({ inputSchema: z.object({}), effect: 'readOnly', execute: () => 'seen' })
const book = tool({ inputSchema: z.object({}), execute: () => 'booked' })

/** The log of a run that looks, then looks, books and asks. */
async function logOf(): Promise<readonly Event[]> {
  const journal = memoryJournal()
  const calls = ['look', 'book', 'pick'].map((name) => ({ name, input: {} }))
  const model = scriptedModel({ calls: [{ name: 'look', input: {} }] }, { calls })
  await agent({ name: 'picker', model, tools: { look, book, pick } }).start('Go', { id: 'r', journal }).settled
  return journal.read('r')
}
const wordsOf = (found: readonly Event[], events: readonly Event[]) =>
  foundWords({ events: found, isTakenOver: false }, events)
const upTo = (events: readonly Event[], type: Event['type'], nth = 0): readonly Event[] =>
  events.slice(0, (events.filter((event) => event.type === type)[nth]?.seq ?? 0) + 1)

it('says nothing of a run that was not there, or had come to its end', async () => {
  const journal = memoryJournal()
  await agent({ name: 'guide', model: scriptedModel('Hi.') }).start('Hi', { id: 'r', journal }).settled
  const log = await journal.read('r')

  expect(wordsOf([], log)).toBeUndefined()
  expect(wordsOf(log, log)).toBeUndefined()
})

it('says that a turn begins again', async () => {
  const log = await logOf()

  expect(wordsOf(upTo(log, 'said'), log)).toBe('Continued where it was: its last step was started again.')
  expect(wordsOf(upTo(log, 'observed'), log)).toBe(
    'Continued where it was: 1 tool call was done already and its last step was started again.',
  )
})

it('tells calls that are made, made again and asked about apart', async () => {
  const log = await logOf()
  const found = upTo(log, 'claimed', 2)
  const interruption = {
    id: '2/tool/1/interruption',
    kind: 'text',
    prompt: '',
    minLength: 0,
    maxLength: 1,
    call: '2/tool/0',
  } as const
  const asked: Event = { type: 'asked', ask: interruption, seq: found.length, at: 0, iteration: 2 }

  expect(wordsOf(upTo(log, 'thought', 1), log.slice(0, 0))).toMatch(/3 tool calls had not started\.$/)
  expect(wordsOf(upTo(log, 'claimed', 1), [])).toMatch(
    /1 tool call was started again, and 2 tool calls had not started\.$/,
  )
  expect(wordsOf(found, [...found, asked])).toMatch(/1 tool call is asked about, 1 tool call was started again,/)
})

it('says that a question is still open', async () => {
  const log = await logOf()

  expect(wordsOf(log, log)).toBe('Still waits for your answer: 3 tool calls were done already.')
})

it('says that the run was taken over', async () => {
  const log = await logOf()

  expect(foundWords({ events: log, isTakenOver: true }, log)).toBe(
    'The other tab is gone: this run works here now. Still waits for your answer: 3 tool calls were done already.',
  )
  expect(foundWords({ events: [], isTakenOver: true }, log)).toBeUndefined()
})
