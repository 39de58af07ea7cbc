import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { laws } from '@interleave/test-kit/laws'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, reasonAct, type Step, tool } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'
import { sideCall } from './sideCall.ts'

const question = [{ role: 'user', content: [{ type: 'text', text: 'Is it good?' }] }] as const
const judging =
  (judge: ReturnType<typeof scriptedModel>): Step =>
  async (run) => {
    const prompt = question.map((message) => ({ ...message, content: [...message.content] }))
    const verdict = await sideCall(run, {
      key: 'good',
      prompt,
      models: [judge],
      settings: { temperature: 0 },
      retries: 0,
    })
    run.replan({ instructions: `It is ${verdict}.` })
    return undefined
  }

it('asks a model next to the conversation, once per run, and counts what it took', async () => {
  const judge = scriptedModel({ text: 'good', usage: { input: 3, output: 4 } })
  const model = scriptedModel('One.', 'Two.')
  const run = agent({ name: 'a', model, backend: reasonAct({ before: [judging(judge)] }) }).start('Go')
  await run.settled
  await run.say('Again')
  await run.settled

  expect(judge.calls).toMatchObject([{ prompt: question, temperature: 0 }])
  expect(model.calls[1]?.prompt[0]).toEqual({ role: 'system', content: 'It is good.' })
  expect(run.state.usage).toMatchObject({ inputTokens: 23, outputTokens: 14 })
  expect(run.state.history.flat()).toHaveLength(4)
})

it('has the answer after a reload', async () => {
  const judge = scriptedModel('good')
  const journal = memoryJournal()
  const made = (model: ReturnType<typeof scriptedModel>) =>
    agent({ name: 'a', model, backend: reasonAct({ before: [judging(judge)] }) })
  const first = made(scriptedModel(new Error('down'))).start('Go', { journal })
  await first.settled

  const again = await made(scriptedModel('Done.')).resume(first.id, { journal })
  again.resume()

  expect(await again.settled).toMatchObject({ type: 'answer' })
  expect(judge.calls).toHaveLength(1)
})

it('fails the run when no model answers', async () => {
  const run = agent({
    name: 'a',
    model: scriptedModel('unasked'),
    backend: reasonAct({ before: [judging(scriptedModel(new Error('down')))] }),
  }).start('Go')

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'model_failed', message: 'down' } })
})

it('has the input of a tool that the model is made to use', async () => {
  const judge = scriptedModel({ calls: [{ name: 'judge', input: { good: true } }] })
  const tool = { type: 'function', name: 'judge', inputSchema: { type: 'object' } } as const
  let verdict = ''
  const step: Step = async (run) => {
    verdict = await sideCall(run, { key: 'good', prompt: [], models: [judge], tool })
    return undefined
  }
  await agent({ name: 'a', model: scriptedModel('Done.'), backend: reasonAct({ before: [step] }) }).start('Go').settled

  expect(verdict).toBe('{"good":true}')
  expect(judge.calls).toMatchObject([{ tools: [tool], toolChoice: { type: 'tool', toolName: 'judge' } }])
})

/** A turn that the provider charges for, and says has failed. */
const paidFailure: LanguageModelV4StreamPart[] = [
  {
    type: 'finish',
    finishReason: { unified: 'error', raw: 'error' },
    usage: {
      inputTokens: { total: 70, noCache: 70, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 5, text: 5, reasoning: 0 },
    },
  },
]

it('counts what a failed side call took, and makes it again', async () => {
  const judge = scriptedModel(paidFailure, { text: 'good', usage: { input: 3, output: 4 } })
  const journal = memoryJournal()
  const made = (...turns: string[]) =>
    agent({ name: 'a', model: scriptedModel(...turns), backend: reasonAct({ before: [judging(judge)] }) })
  const first = made().start('Go', { journal, observers: [laws()] })

  expect(await first.settled).toMatchObject({ type: 'failed' })
  expect(first.state.usage).toMatchObject({ inputTokens: 70, outputTokens: 5 })
  const run = await made('Done.').resume(first.id, { journal, observers: [laws(first.state)] })
  run.resume()

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(judge.calls).toHaveLength(2)
  expect(run.state.usage).toMatchObject({ inputTokens: 83, outputTokens: 14 })
})

it('counts failed side calls for a limit', async () => {
  const judge = scriptedModel(() => paidFailure)
  const asking: Step = (run) =>
    sideCall(run, { key: `${run.state.iteration}`, prompt: [...question] as never, models: [judge], retries: 0 }).then(
      () => undefined,
      () => undefined,
    )
  const work = tool({ inputSchema: z.object({}), execute: () => 'worked' })
  const model = scriptedModel(() => ({ calls: [{ name: 'work', input: {} }], usage: { input: 0, output: 0 } }))
  const backend = reasonAct({ before: [asking], limits: { tokens: 200 } })
  const run = agent({ name: 'a', model, tools: { work }, backend }).start('Go')

  expect(await run.settled).toMatchObject({ type: 'limitReached', limit: 'tokens', used: 225 })
})

it.each([
  ['needs a `key` and a `prompt`', { key: 'good' }],
  ['needs a `key` and a `prompt`', { key: 'good', prompt: 'Is it good?' }],
  ['The options of sideCall() must be an object', null],
])('says: %s', async (words, options) => {
  const backend: Step = async (run) => void (await sideCall(run, options as never))
  const run = agent({ name: 'a', model: scriptedModel(), backend }).start('Go')

  expect(await run.settled).toMatchObject({ error: { message: expect.stringContaining(words) } })
})
