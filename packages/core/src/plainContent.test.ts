import { scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Agent, agent } from './index.ts'
import { fork, memoryJournal } from './journal/index.ts'
import { journalEngine } from './journal/journalEngine.ts'
import { isContent } from './part.ts'

const described = (): Agent => agent({ name: 'a', model: scriptedModel('Hi.', 'Hi again.') })
const noContents: readonly [string, never][] = [
  ['a part of another kind', [{ type: 'picture', image: 'AAAA' }] as never],
  ['a part without a type', [{ text: 'Hi' }] as never],
  ['a text that is none', [{ type: 'text', text: 7 }] as never],
  ['an object', { text: 'Hi' } as never],
]

it.each(noContents)('refuses %s for a message where it is given, and keeps the run', async (_, content) => {
  const journal = memoryJournal()
  expect(() => described().start(content, { journal })).toThrow(/wrong or missing/)
  const run = described().start('Hello', { id: 'r', journal })
  await run.settled

  await expect(run.say(content)).rejects.toMatchObject({ code: 'options_invalid' })
  await expect(fork(described(), run, { at: 1, edit: { content } })).rejects.toMatchObject({ code: 'options_invalid' })

  await run.say('Really')
  expect(await run.settled).toMatchObject({ output: 'Hi again.' })
  expect((await described().resume('r', { journal })).state).toEqual(run.state)
})

it.each([
  ['a text for the content of a user', [{ role: 'user', content: 'Hi' }]],
  ['an unknown role', [{ role: 'robot', content: [] }]],
  ['a turn without its text', [{ role: 'assistant', content: [{ type: 'text' }] }]],
  ['a call of no tool', [{ role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', input: {} }] }]],
  [
    'a result without output',
    [{ role: 'assistant', content: [{ type: 'tool-result', toolCallId: 'c', toolName: 't' }] }],
  ],
  ['a result of no call', [{ role: 'tool', content: [{ type: 'tool-result', output: { type: 'text', value: '' } }] }]],
  ['no list', { role: 'user', content: [], length: 1 }],
])('refuses %s in a history', (_, history) => {
  expect(() => described().start('Go', { history: history as never })).toThrow(
    /The history has a wrong or missing|`history` of start\(\) must be a list/,
  )
})

it('refuses a version that is not a text', () => {
  expect(() => agent({ name: 'a', version: 2 as never, model: scriptedModel() })).toThrow(/version/)
})

it('is checked with a journal at least as strictly as without one', () => {
  const part = fc.record(
    { type: fc.constantFrom('text', 'file', 'custom', 'image'), text: fc.jsonValue(), data: fc.jsonValue() },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.oneof(fc.array(fc.oneof(part, fc.jsonValue())), fc.anything()), (content) => {
      const isRefused =
        journalEngine.invalidPathOf({ type: 'said', by: 'agent', content: content as never }) !== undefined
      expect(isContent(content) || isRefused).toBe(true)
    }),
  )
})
