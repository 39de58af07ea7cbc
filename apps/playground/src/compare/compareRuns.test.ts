import { agent, choice, type Event, tool } from '@interleave/core'
import { exportRun } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { compareRuns } from './compareRuns.ts'
import { differenceWords, differingPart } from './differenceWords.ts'

const pick = tool({
  inputSchema: z.object({ of: z.string() }),
  execute: async ({ of }, { ask }) => `${of}: ${await ask(choice({ prompt: 'Which?', options: ['a', 'b'] }))}`,
})
const count = tool({ inputSchema: z.object({}), execute: () => 2 })

interface Told {
  readonly say?: string
  readonly call?: { readonly name: string; readonly input: unknown }
  readonly reply?: string
  readonly answer?: string
}

async function logOf({ say = 'Go', call, reply = 'a', answer = 'Done.' }: Told = {}): Promise<readonly Event[]> {
  const first = { text: 'I pick.', calls: [call ?? { name: 'pick', input: { of: 'x' } }] }
  const run = agent({ name: 'picker', model: scriptedModel(first, answer), tools: { pick, count } }).start(say)
  await run.settled
  for (const { id } of run.state.asks) await run.reply(id, reply)
  await run.settled
  return (await exportRun(run)).events
}
const differsIn = async (a: Told, b: Told) => {
  const comparison = compareRuns(await logOf(a), await logOf(b))
  return [comparison.rows.map(({ differs }) => differs), differenceWords(comparison)]
}

it('finds no difference in runs that say and do the same at other times', async () => {
  const comparison = compareRuns(await logOf(), await logOf())

  expect(comparison).toMatchObject({ firstDifference: undefined, totals: { a: { turns: 2, calls: 1 } } })
  expect(differenceWords(comparison)).toBe('Both runs say and do the same.')
})

it.each<[Told, Told, unknown, string]>([
  [{}, { say: 'Come' }, [['messages'], []], 'In turn 1, the messages differ.'],
  [
    {},
    { answer: 'Over.' },
    [[], ['thought', 'end']],
    'The same in turn 1. Then, in turn 2, the model says something else.',
  ],
  [
    {},
    { call: { name: 'pick', input: { of: 'y' } } },
    [['inputs', 'outputs'], []],
    'In turn 1, Pick is called with another input.',
  ],
  [{}, { reply: 'b' }, [['replies', 'outputs'], []], 'In turn 1, a question gets another answer.'],
  [{}, { call: { name: 'count', input: {} } }, [['calls', 'end'], []], 'In turn 1, A calls Pick, and B calls Count.'],
])('tells what differs between %j and %j', async (a, b, differs, words) => {
  expect(await differsIn(a, b)).toEqual([differs, words])
})

it('shows what one of them did after the other had ended', async () => {
  const whole = await logOf()
  const cut = whole.slice(
    0,
    whole.findLastIndex(({ type }) => type === 'thought'),
  )

  const comparison = compareRuns(cut, whole)

  expect(comparison.firstDifference).toBe(1)
  expect(comparison.rows[1]).toMatchObject({ a: undefined, b: { thought: 'Done.' } })
  expect(differenceWords(comparison)).toBe('The same in turn 1. Then, in turn 2, A has ended, and B continues.')
})

it('does not look at the order of keys', async () => {
  const events = await logOf({ call: { name: 'pick', input: { of: 'x', by: 'y' } } })
  const turned = JSON.parse(JSON.stringify(events).replaceAll('{"of":"x","by":"y"}', '{"by":"y","of":"x"}'))

  expect(JSON.stringify(turned)).not.toBe(JSON.stringify(events))
  expect(compareRuns(events, turned).firstDifference).toBeUndefined()
})

it('finds the words that a text has alone', () => {
  expect(differingPart('a red car', 'a blue car')).toEqual({ before: 'a ', own: 'red', after: ' car' })
  expect(differingPart('same', 'same')).toEqual({ before: 'same', own: '', after: '' })
  const texts = fc.array(fc.constantFrom('a', 'b', ' ')).map((words) => words.join(' '))
  fc.assert(
    fc.property(texts, texts, (text, other) => {
      const { before, own, after } = differingPart(text, other)
      expect(before + own + after).toBe(text)
      expect(other.startsWith(before) && other.endsWith(after)).toBe(true)
      expect(before.length + after.length).toBeLessThanOrEqual(other.length)
    }),
  )
})
