import { agent, answer, type Run, tool } from '@interleave/core'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { TextFormat } from './format.ts'
import { printTranscript } from './printTranscript.ts'
import { textMode } from './textMode.ts'
import { readText } from './textReader.ts'

const search = tool({ inputSchema: z.object({ query: z.string() }), execute: ({ query }) => `A page about ${query}.` })
const add = tool({ inputSchema: z.object({ a: z.number(), b: z.number() }), execute: ({ a, b }) => a + b })

async function runOf(...turns: readonly ScriptedTurn[]): Promise<Run> {
  const run = agent({ name: 'a', model: scriptedModel(...turns), tools: { search, add } }).start('Who was it?')
  await run.settled
  return run
}
const call = (name: string, input: object, text: string) => ({ text, calls: [{ name, input }] })

it("prints a run as the trace of the ReAct paper, whatever its model's way to call tools", async () => {
  const run = await runOf(call('search', { query: 'Ann' }, 'I look.'), call('add', { a: 1, b: 2 }, 'I add.'), 'Ann, 3.')

  expect(printTranscript(run.state)).toBe(
    `User: Who was it?
Thought 1: I look.
Action 1: search[Ann]
Observation 1: A page about Ann.
Thought 2: I add.
Action 2: add[{"a": 1, "b": 2}]
Observation 2: 3
Action 3: Finish[Ann, 3.]`,
  )
})

it('prints in any format and with other words', async () => {
  const run = await runOf(call('search', { query: 'Ann' }, 'I look.'), 'Ann.')

  expect(printTranscript(run.state, { format: 'mrkl-json-input', labels: { thought: 'Idea', answer: 'So' } })).toBe(
    `User: Who was it?
Idea: I look.
Action: search
Action Input: {"query": "Ann"}
Observation: A page about Ann.
So: Ann.`,
  )
})

it('prints what text mode could not read, and why', async () => {
  const model = textMode(scriptedModel('Hm.', 'Final Answer: Ann.'))
  const run = agent({ name: 'a', model, tools: { search } }).start('Who?')
  await run.settled

  expect(printTranscript(run.state, { format: 'mrkl' })).toMatch(
    /^User: Who\?\nHm\.\nObservation: There is no step .*\nFinal Answer: Ann\.$/,
  )
})

it('prints files, messages that wait, and an answer that was typed', async () => {
  const file = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'aGk=' } } as const
  const final = { calls: [{ name: 'final_answer', input: { n: 5 } }] }
  const run = agent({ name: 'a', model: scriptedModel(final), output: answer(z.object({ n: z.number() })) }).start([
    file,
  ])
  await run.settled
  const said = { type: 'said', seq: 9, at: 0, by: 'user', content: 'And now?' } as const

  expect(printTranscript({ ...run.state, pending: [said] })).toBe(
    'User: (a file)\nAction 1: Finish[{"n": 5}]\nUser: And now?',
  )
})

const words = fc.stringMatching(/^[A-Z][a-z ,.?]{0,30}[a-z.]$/)
const turns = fc.array(fc.record({ text: words, query: words }), { maxLength: 4 })
const printable: TextFormat[] = [
  'react-numbered-bracket',
  'react-plain-bracket',
  'mrkl',
  'mrkl-json-input',
  'llamaindex',
  'json-blob',
  'json-thought-command',
]

it.each(printable)('reads the run that it printed in %s', async (format) => {
  await fc.assert(
    fc.asyncProperty(turns, words, async (steps, answer) => {
      const run = await runOf(...steps.map(({ text, query }) => call('search', { query }, text)), answer)

      const [, ...printed] = printTranscript(run.state, { format }).split(/\n?^(?:Observation|User)[ \d]*: .*\n?/m)

      const read = printed.filter(Boolean).map((step) => readText(step, { format, tools: ['search', 'add'] }))
      expect(read.map(({ thought }) => thought)).toEqual([...steps.map(({ text }) => text), ''])
      expect(read.map(({ actions: [action] }) => queryOf(action?.input))).toEqual([
        ...steps.map(({ query }) => query),
        '',
      ])
      expect(read.at(-1)?.finish).toBe(answer)
    }),
    { numRuns: 30 },
  )
})

it('says what it needs where it gets a run', () => {
  expect(() => printTranscript({} as never)).toThrow('printTranscript() needs a state, such as run.state.')
})

const queryOf = (input: unknown): string =>
  typeof input === 'object' ? String((input as { query?: string }).query) : String(input ?? '')
