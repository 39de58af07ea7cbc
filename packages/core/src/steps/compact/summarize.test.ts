import { laws } from '@interleave/test-kit/laws'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, reasonAct, tool } from '../../index.ts'
import { memoryJournal } from '../../journal/index.ts'
import { compact } from './compact.ts'
import { cutResults } from './cutResults.ts'
import type { CompactionStrategy } from './pipeline.ts'
import { summarize } from './summarize.ts'
import { estimateText } from './tokens.ts'

const read = tool({
  inputSchema: z.object({ page: z.number(), words: z.number() }),
  effect: 'readOnly',
  execute: ({ page, words }) => `page ${page} `.repeat(words / 2),
})
const reads = (page: number, words = 300): ScriptedTurn => ({
  calls: [{ name: 'read', input: { page, words } }],
  usage: { input: 0, output: 0 },
})

const pages = [1, 2, 3].map((page) => reads(page))

function reader(given: CompactionStrategy | readonly CompactionStrategy[], ...turns: ScriptedTurn[]) {
  const model = scriptedModel(...turns)
  const backend = reasonAct({ before: [compact({ contextWindow: 1_000, keep: 1, strategies: [given].flat() })] })
  return { model, made: agent({ name: 'reader', model, tools: { read }, backend }) }
}
const textOf = (call: { prompt: unknown } | undefined) => JSON.stringify(call?.prompt)

it('gives the model a summary with the request next to it, and counts what it took', async () => {
  const writer = scriptedModel({ text: 'Page 1 says page 1.', usage: { input: 700, output: 30 } })
  const { made, model } = reader(
    summarize({ models: [writer], contextWindow: 4_000, focus: 'prices' }),
    ...pages,
    'Found.',
  )
  const run = made.start('Find the word', { observers: [laws()] })
  await run.settled

  expect(textOf(writer.calls[0])).toMatch(/Goal: .*prices.*User: Find the word.*calls read with.*page 1 page 1/)
  expect(writer.calls[0]?.tools).toBeUndefined()
  expect(model.calls[3]?.prompt.slice(0, 2)).toMatchObject([
    { role: 'user', content: [{ text: 'Find the word' }] },
    { role: 'user', content: [{ text: expect.stringContaining('Page 1 says page 1.') }] },
  ])
  expect(textOf(model.calls[3])).toContain('page 3 page 3')
  expect(run.state.usage).toMatchObject({ inputTokens: 710, outputTokens: 35 })
})

it('reads the results as they were before they were cut', async () => {
  const writer = scriptedModel('Much.')
  const strategies = [cutResults({ upTo: 150 }), summarize({ models: [writer], contextWindow: 4_000 })]
  const { made } = reader(strategies, ...pages, 'Found.')
  const run = made.start('Find the word', { observers: [laws()] })
  await run.settled

  expect(run.log.find(({ type }) => type === 'compacted')).toMatchObject({ strategy: 'cutResults, summarize' })
  expect(textOf(writer.calls[0])).toContain('page 2 '.repeat(150))
})

it('makes an earlier summary part of the next one', async () => {
  const writer = scriptedModel('First summary.', 'Second summary.')
  const pages = [1, 2, 3, 4, 5, 6].map((page) => reads(page))
  const { made, model } = reader(summarize({ models: [writer], contextWindow: 4_000 }), ...pages, 'Found.')
  const run = made.start('Find the word', { observers: [laws()] })
  await run.settled

  expect(run.state.compactions).toBe(2)
  expect(textOf(writer.calls[1])).toMatch(/Summary of what went before: .*First summary\./)
  expect(textOf(model.calls[6])).not.toContain('First summary.')
  expect(textOf(model.calls[6])).toContain('Second summary.')
})

it('is not asked for a summary again after a reload', async () => {
  const writer = scriptedModel('Once.')
  const strategy = () => summarize({ models: [writer], contextWindow: 4_000 })
  const journal = memoryJournal()
  const first = reader(strategy(), ...pages, new Error('down')).made.start('Find', { journal })
  await first.settled
  const again = reader(strategy(), 'Found.')
  const resumed = await again.made.resume(first.id, { journal })
  resumed.resume()
  await resumed.settled

  expect(writer.calls).toHaveLength(1)
  expect(textOf(again.model.calls[0])).toContain('Once.')
})

it.each([new Error('down'), ''])(
  'fails the run when there is no summary, and asks again when it continues',
  async (answer) => {
    const writer = scriptedModel(answer, 'Well.')
    const { made } = reader(summarize({ models: [writer], contextWindow: 4_000 }), ...pages, 'Found.')
    const run = made.start('Find')

    expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'model_failed' } })
    run.resume()
    expect(await run.settled).toMatchObject({ type: 'answer' })
  },
)

it('stops in the middle of a summary, and continues later', async () => {
  const writer = scriptedModel(() => new Promise<never>(() => {}), 'Well.')
  const { made } = reader(summarize({ models: [writer], contextWindow: 4_000 }), ...pages, 'Found.')
  const run = made.start('Find')
  while (writer.calls.length === 0) await new Promise((resolve) => setTimeout(resolve))
  await run.stop()

  expect(run.state).toMatchObject({ signal: { type: 'stopped' }, compactions: 0 })
  run.resume()
  expect(await run.settled).toMatchObject({ type: 'answer' })
})

it('asks for no summary where there is only the request', async () => {
  const { made, model } = reader(summarize({ models: [scriptedModel()] }), reads(1, 3_000), 'Found.')

  expect(await made.start('Find the word').settled).toMatchObject({ type: 'answer' })
  expect(textOf(model.calls[1])).toMatch(/Find the word.*tokens omitted/)
})

it('receives what is said while a summary is written', async () => {
  const writer = scriptedModel(async () => {
    await run.say('And hurry')
    return 'Page 1.'
  })
  const { made, model } = reader(summarize({ models: [writer], contextWindow: 4_000 }), ...pages, 'Found.')
  const run = made.start('Find', { observers: [laws()] })
  await run.settled

  expect(model.calls[3]?.prompt.at(-1)).toMatchObject({ content: [{ text: 'And hurry' }] })
})

it('cuts a summary that is longer than its position', async () => {
  const writer = scriptedModel('word '.repeat(5_000))
  const { made, model } = reader(summarize({ models: [writer], contextWindow: 4_000 }), ...pages, 'Found.')
  await made.start('Find').settled

  expect(estimateText(textOf(model.calls[3]))).toBeLessThan(900)
})

it('summarizes in parts what the model cannot take at once, each with the summary of those before', async () => {
  const writer = scriptedModel(...Array.from({ length: 40 }, (_, n) => `Part summary ${n}.`))
  const strategy = summarize({ models: [writer], contextWindow: 300, length: 40 })
  const { made, model } = reader(strategy, reads(1, 600), reads(2, 300), 'Found.')
  const run = made.start('Find the word', { observers: [laws()] })
  await run.settled

  const sizes = writer.calls.map(({ prompt }) => estimateText(JSON.stringify(prompt.at(-1))))
  expect(sizes.length).toBeGreaterThan(3)
  expect(Math.max(...sizes)).toBeLessThan(300)
  expect(textOf(writer.calls.at(-1))).toContain(`Summary of what went before: Part summary ${writer.calls.length - 2}.`)
  expect(textOf(model.calls.at(-1))).toContain(`Part summary ${writer.calls.length - 1}.`)
  expect(run.state.usage.inputTokens).toBe(10 * writer.calls.length + 10)
})

it('has the parts that were summarized after a reload', async () => {
  const journal = memoryJournal()
  const strategy = (writer: ReturnType<typeof scriptedModel>) =>
    summarize({ models: [writer], contextWindow: 300, length: 40 })
  const before = scriptedModel('One.', 'Two.', new Error('down'))
  const first = reader(strategy(before), reads(1, 600), reads(2, 300)).made.start('Find', { journal })
  await first.settled

  const after = scriptedModel(...Array.from({ length: 40 }, (_, n) => `Later ${n}.`))
  const resumed = await reader(strategy(after), 'Found.').made.resume(first.id, { journal })
  resumed.resume()

  expect(await resumed.settled).toMatchObject({ type: 'answer' })
  expect(textOf(after.calls[0])).toContain('Summary of what went before: Two.')
})

it('counts what a summary took that came to nothing', async () => {
  const writer = scriptedModel(() => ({ text: ' ', usage: { input: 700, output: 1 } }))
  const { made } = reader(summarize({ models: [writer], contextWindow: 4_000 }), ...pages, 'Found.')
  const run = made.start('Find the word', { observers: [laws()] })
  await run.settled

  const { length } = writer.calls
  expect(length).toBeGreaterThan(0)
  expect(run.state.usage).toMatchObject({ inputTokens: 700 * length, outputTokens: length })
})
