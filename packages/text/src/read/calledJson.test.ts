import type { Json } from '@interleave/core'
import { expect, it } from 'vitest'
import { readJsonStep } from './calledJson.ts'

const call = { tool: 'search', input: { q: 'Paris' } }

it.each<[Json]>([
  [{ action: 'search', action_input: { q: 'Paris' } }],
  [{ Action: 'search', 'Action Input': { q: 'Paris' } }],
  [{ tool: 'search', args: { q: 'Paris' } }],
  [{ name: 'search', arguments: { q: 'Paris' } }],
  [{ name: 'search', arguments: '{"q":"Paris"}' }],
  [{ function: 'search', parameters: { q: 'Paris' } }],
  [{ type: 'function', function: { name: 'search', arguments: '{"q":"Paris"}' } }],
  [{ command: { name: 'search', args: { q: 'Paris' } } }],
  [{ action: 'search', action_input: { q: 'Paris' }, function: { name: 'other', arguments: {} } }],
  [{ tool_call: { action: 'search', action_input: { q: 'Paris' } } }],
  [
    {
      tool_calls: [
        { name: 'search', arguments: { q: 'Paris' } },
        { name: 'other', arguments: {} },
      ],
    },
  ],
  [[{ action: 'search', action_input: { q: 'Paris' } }]],
])('finds the call in %j', (value) => {
  expect(readJsonStep(value)).toEqual({ call })
})

it.each<[Json]>([
  [{ score: 4 }],
  [{ name: 'Ada' }],
  [{ q: 'Paris' }],
  [{ action: '' }],
  ['search'],
  [null],
  [[]],
  [{ action: null }],
  [{ action: 'approve' }],
  [{ action: 'deploy', reason: 'It is tested.' }],
  [{ action: 'deploy', parameters: { env: 'test' }, confidence: 0.9 }],
  [{ action: { type: 'wave', name: 'Ada' } }],
  [{ tool: 'hammer', price: 3 }],
])('finds none in %j', (value) => {
  expect(readJsonStep(value)).toEqual({})
})

it('finds thoughts and answers', () => {
  expect(readJsonStep({ thoughts: { text: 'Hm.' }, command: { name: 'ls' } })).toEqual({
    thought: 'Hm.',
    call: { tool: 'ls', input: null },
  })
  expect(readJsonStep({ thought: 'Done.', final_answer: { a: 1 } })).toEqual({ thought: 'Done.', answer: '{"a":1}' })
})

it('does not follow endless wrapping', () => {
  let value: Json = { action: 'search', action_input: 1 }
  for (let i = 0; i < 9; i++) value = { tool_call: value }

  expect(readJsonStep(value)).toEqual({})
})

it('takes what names a tool for a call', () => {
  const isTool = (name: string): boolean => name === 'now'

  expect(readJsonStep({ action: 'now' }, isTool)).toEqual({ call: { tool: 'now', input: null } })
  expect(readJsonStep({ action: 'now', params: 1, note: 'x' }, isTool)).toEqual({ call: { tool: 'now', input: 1 } })
  expect(readJsonStep({ action: 'now', note: 'x' }, isTool)).toEqual({})
  expect(readJsonStep({ action: 'deploy', params: 1 }, isTool)).toEqual({})
  expect(readJsonStep({ action: 'deploy', action_input: 1 }, isTool)).toEqual({ call: { tool: 'deploy', input: 1 } })
})
