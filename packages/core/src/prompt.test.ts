import type { LanguageModelV4, LanguageModelV4Message } from '@ai-sdk/provider'
import { laws } from '@interleave/test-kit/laws'
import { finishPart } from '@interleave/test-kit/providerParts'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { compactionChanges } from './changes/compaction.ts'
import { agent, reasonAct, type Step, tool } from './index.ts'
import { promptBuilder } from './message.ts'
import { append, type Entry, initialState, latestTurn, type Pages, replaceLast } from './state.ts'
import { inOrder } from './step.ts'

const noop = tool({ inputSchema: z.object({}), execute: () => 'ok' })
const calling = { calls: [{ name: 'noop', input: {} }] }

async function promptOf(
  turns: readonly ScriptedTurn[],
  options: { before?: Step; history?: LanguageModelV4Message[] } = {},
) {
  const { before, ...start } = options
  const model = scriptedModel(...turns)
  const backend = reasonAct(before ? { before: [before] } : {})
  await agent({ name: 'a', model, tools: { noop }, backend }).start('Go', { observers: [laws()], ...start }).settled
  return model.calls.at(-1)?.prompt
}

it('puts an earlier conversation first', async () => {
  const history: LanguageModelV4Message[] = [
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
  ]

  expect(await promptOf(['x'], { history })).toEqual([
    ...history,
    { role: 'user', content: [{ type: 'text', text: 'Go' }] },
  ])
})

it('keeps the bytes of files as text', async () => {
  const model = scriptedModel('x')
  const run = agent({ name: 'a', model }).start(
    [
      { type: 'text', text: 'What is this?' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: new Uint8Array([104, 105]) } },
    ],
    { observers: [laws()] },
  )
  await run.settled

  expect(model.calls[0]?.prompt[0]?.content).toMatchObject([{ type: 'text' }, { data: { type: 'data', data: 'aGk=' } }])
})

it('gives addresses as URL objects, though the log keeps them as text', async () => {
  const seen: unknown[] = []
  const model = scriptedModel('x')
  const looking: LanguageModelV4 = {
    ...model,
    doStream: (call) => {
      seen.push(call.prompt[0]?.content)
      return model.doStream({ ...call, prompt: [] })
    },
  }
  const url = new URL('https://example.test/cat.png')

  const file = { type: 'file', mediaType: 'image/png', data: { type: 'url', url } } as const
  await agent({ name: 'a', model: looking }).start([file], { observers: [laws()] }).settled

  expect(seen).toEqual([[{ ...file, data: { type: 'url', url: expect.any(URL) } }]])
})

it('omits empty texts, and turns in which nothing was said', async () => {
  const model = scriptedModel(
    { text: '', calls: [{ name: 'noop', input: {} }] },
    [{ type: 'text-start', id: '0' }, finishPart()],
    'x',
  )
  const run = agent({ name: 'a', model, tools: { noop } }).start('Go', { observers: [laws()] })
  await run.settled
  await run.say('Well?')
  await run.settled

  expect(model.calls[2]?.prompt.map(({ role, content }) => [role, content.length])).toEqual([
    ['user', 1],
    ['assistant', 1],
    ['tool', 1],
    ['user', 1],
  ])
})

it('gives providers an object for an input that never parsed', async () => {
  const prompt = await promptOf([{ calls: [{ name: 'noop', input: '{"a":' }] }, 'x'])

  expect(prompt?.[1]).toMatchObject({ content: [{ type: 'tool-call', input: {} }] })
  expect(prompt?.[2]).toMatchObject({ content: [{ output: { type: 'error-text' } }] })
})

it('gives the summary instead of what was compacted', async () => {
  const compact: Step = (run) => {
    if (run.state.iteration === 3 && run.state.compactions === 0) {
      const summary = { role: 'user', content: [{ type: 'text', text: 'So far: noop.' }] } as const
      run.learn(compactionChanges)
      run.emit({ type: 'compacted', messages: [{ ...summary, content: [...summary.content] }], keep: 1 })
    }
    return undefined
  }

  const prompt = await promptOf([calling, calling, calling, calling, 'x'], { before: inOrder(compact) })

  expect(prompt?.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'tool'])
  expect(prompt?.[0]).toMatchObject({ content: [{ text: 'So far: noop.' }] })
})

it('gives every turn the same beginning', async () => {
  const model = scriptedModel(...Array.from({ length: 100 }, () => calling), 'x')
  await agent({ name: 'a', model, tools: { noop }, backend: reasonAct({ limits: { iterations: 200 } }) }).start('Go')
    .settled

  const last = model.calls.at(-1)?.prompt ?? []
  for (const { prompt } of model.calls) expect(prompt).toEqual(last.slice(0, prompt.length))
  expect(last).toHaveLength(201)
})

it('gives long conversations in full, turn after turn', () => {
  const builder = promptBuilder()
  const said = (seq: number): Entry => ({ type: 'said', seq, at: 0, by: 'user', content: `${seq}` })
  const entries = Array.from({ length: 5_000 }, (_, seq) => said(seq))
  const first = { ...initialState, history: entries.reduce<Pages<Entry>>(append, []) }

  const before = builder.messages(first, 'Be kind.').length
  const after = builder.messages({ ...first, history: append(first.history, said(5_000)) }, 'Be kind.')

  expect(before).toBe(5_001)
  expect(after).toHaveLength(5_002)
  expect(after.at(-1)).toEqual({ role: 'user', content: [{ type: 'text', text: '5000' }] })
})

it('changes nothing in a long prompt that a model may have kept', () => {
  const builder = promptBuilder()
  const said = (seq: number, content = `${seq}`): Entry => ({ type: 'said', seq, at: 0, by: 'user', content })
  const history = Array.from({ length: 1_000 }, (_, seq) => said(seq)).reduce<Pages<Entry>>(append, [])
  const state = { ...initialState, history }
  const compacted = { messages: [], from: 990, iteration: 0 }

  const kept = builder.messages(state, 'Be kind.')
  const before = structuredClone(kept)
  const amended = builder.messages({ ...state, history: replaceLast(history, said(999, 'gone')) }, 'Be kind.')
  const instructed = builder.messages(state, 'Be brief.')
  const bare = builder.messages(state)
  const short = builder.messages({ ...state, compactions: 1, compacted }, 'Be kind.')

  expect(kept).toEqual(before)
  expect(amended.at(-1)).toEqual({ role: 'user', content: [{ type: 'text', text: 'gone' }] })
  expect(instructed).toEqual([{ role: 'system', content: 'Be brief.' }, ...before.slice(1)])
  expect(bare).toEqual(before.slice(1))
  expect(short).toEqual([before[0], ...before.slice(-10)])
})

it('takes the latest entry again where it was amended after it was looked at', async () => {
  const find = tool({ inputSchema: z.object({}), effect: 'readOnly', execute: () => 'secret' })
  const model = scriptedModel({ calls: [{ name: 'find', input: {} }] }, 'Done.')
  const looking: Step = (run) => void run.prompt.messages(run.state)
  const amending: Step = (run) => {
    const [call] = latestTurn(run.state)?.calls ?? []
    if (call)
      run.emit({ type: 'amended', target: call.key, result: { type: 'text', value: 'gone' }, reason: 'A test.' })
    return undefined
  }
  const backend = reasonAct({ before: [looking, amending] })

  await agent({ name: 'a', model, tools: { find }, backend }).start('Go').settled

  expect(JSON.stringify(model.calls[1]?.prompt)).not.toContain('secret')
})
