import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { laws } from '@interleave/test-kit/laws'
import { expectTrace, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { isKept } from '../../history/index.ts'
import { agent, type Event, type Listener, type Run, reasonAct, tool } from '../../index.ts'
import { memoryJournal } from '../../journal/index.ts'
import { type Observer, observer } from '../../log/observe.ts'
import { eventsOf } from '../../log/runEvents.ts'
import { type CompactOptions, compact } from './compact.ts'
import { cutResults } from './cutResults.ts'
import { dropTurns } from './dropTurns.ts'
import { estimateMessages } from './tokens.ts'

const words = (count: number): string => Array.from({ length: count }, (_, n) => `word${n % 10}`).join(' ')
/** Gives as many words as it is asked for. */
const read = tool({
  inputSchema: z.object({ words: z.number() }),
  effect: 'readOnly',
  execute: ({ words: count }) => words(count),
})
const reads = (count: number, usage?: { input: number; output: number }): ScriptedTurn => ({
  calls: [{ name: 'read', input: { words: count } }],
  usage: usage ?? { input: 0, output: 0 },
})

interface Given extends Partial<CompactOptions> {
  readonly observers?: readonly Listener[]
}

function reader(turns: readonly ScriptedTurn[], { observers: _, ...options }: Given = {}) {
  const model = scriptedModel(...turns)
  const step = compact({ contextWindow: 1_000, strategies: [dropTurns()], ...options })
  const backend = reasonAct({ before: [step], limits: { iterations: 500 } })
  return { model, made: agent({ name: 'reader', model, tools: { read }, backend }) }
}

async function runOf(turns: readonly ScriptedTurn[], given: Given = {}) {
  const { model, made } = reader(turns, given)
  const run = made.start('Find the word', { observers: [laws(), ...(given.observers ?? [])] })
  return { run, model, signal: await run.settled }
}

async function keptOf(run: Run): Promise<Event[]> {
  const events: Event[] = []
  for await (const event of eventsOf(run)) if (isKept(event)) events.push(event)
  return events
}
const rolesOf = (call: LanguageModelV4CallOptions | undefined) => call?.prompt.map(({ role }) => role).join(' ')
const textOf = (call: LanguageModelV4CallOptions | undefined) => JSON.stringify(call?.prompt)

it('leaves a history alone that fits', async () => {
  const { run } = await runOf([reads(100), 'Found.'])

  expect(run.state.compactions).toBe(0)
})

it('gives the model less once the context fills up, again and again, and keeps the whole history', async () => {
  const { run, model, signal } = await runOf([...Array.from({ length: 18 }, () => reads(150)), 'Found.'])

  expect(signal).toMatchObject({ type: 'answer', output: 'Found.' })
  expect(run.state.compactions).toBeGreaterThan(1)
  expect(run.state.history.flat()).toHaveLength(20)
  for (const call of model.calls) {
    expect(estimateMessages(call.prompt)).toBeLessThan(800)
    expect(call.prompt[0]).toEqual({ role: 'user', content: [{ type: 'text', text: 'Find the word' }] })
  }
  expect(textOf(model.calls[18])).toMatch(/Omitted here: \d+ earlier messages/)
  expect(rolesOf(model.calls[18])).toMatch(/^user user (assistant tool ?)+$/)
})

it('has one order of events', async () => {
  const { run } = await runOf([reads(400), reads(400), 'Found.'], { strategies: [cutResults()], keep: 1 })

  expectTrace(
    (await keptOf(run)).filter(({ type }) => type !== 'observed'),
    `
    0 started reader
    0 said user "Find the word"
    1 thought "" read({"words":400})
    1 claimed 1/tool/0
    2 thought "" read({"words":400})
    2 claimed 2/tool/0
    2 compacted 3 messages, 1 kept
    3 thought "Found."
    3 settled answer "Found."
    `,
  )
})

it('tells observers of it, with what it saved and which strategy did', async () => {
  const told: unknown[] = []
  const onCompaction: Observer['onCompaction'] = ({ strategy, before, after }) => told.push([strategy, before, after])
  const observers = [observer({ onCompaction })]

  const { run } = await runOf([reads(400), reads(400), 'Found.'], { strategies: [cutResults()], keep: 1, observers })

  expect(told).toEqual([['cutResults', expect.any(Number), expect.any(Number)]])
  const [[, before, after]] = told as [[string, number, number]]
  expect(before).toBeGreaterThan(800)
  expect(after).toBeLessThan(600)
  expect(run.state.usage).toMatchObject({ inputTokens: 10, outputTokens: 5 })
})

it("goes by the provider's own count, where it tells one", async () => {
  const few = { input: 40, output: 10 }
  const long = await runOf([reads(300, few), reads(10, { input: 780, output: 20 }), 'Found.'], { keep: 1 })
  const short = await runOf([reads(400, few), reads(400, { input: 300, output: 10 }), 'Found.'])

  expect(long.run.state.compactions).toBe(1)
  expect(short.run.state.compactions).toBe(0)
})

it('asks for the window of the smallest model', async () => {
  const windows = (model: { modelId: string }) => (model.modelId === 'scripted' ? 1_000 : 50)

  const { run } = await runOf([reads(400), reads(400), 'Found.'], { contextWindow: windows })

  expect(run.state.compactions).toBe(1)
})

it('gives the same prompt after a reload in the middle', async () => {
  const turns = [reads(400), reads(400), 'Found.'] as const
  const journal = memoryJournal()
  const { made, model } = reader([...turns.slice(0, 2), new Error('down')])
  const first = made.start('Find the word', { journal })
  await first.settled
  const again = reader(['Found.'])
  const resumed = await again.made.resume(first.id, { journal, observers: [laws(first.state)] })
  resumed.resume()
  await resumed.settled

  expect(again.model.calls[0]?.prompt).toEqual(model.calls[2]?.prompt)
  expect(resumed.state.compactions).toBe(1)
})

it('gives the same prompt when the page closes between the compaction and the thought', async () => {
  const { run, model } = await runOf([reads(400), reads(400), 'Found.'])
  const events = await keptOf(run)
  const journal = memoryJournal()
  const kept = events.slice(0, events.findIndex(({ type }) => type === 'compacted') + 1)
  await journal.append(run.id, kept)

  const again = reader(['Found.'])
  const resumed = await again.made.resume(run.id, { journal })

  expect(await resumed.settled).toMatchObject({ type: 'answer' })
  expect(again.model.calls[0]?.prompt).toEqual(model.calls[2]?.prompt)
})

it('cuts the results of a turn that is too much by itself', async () => {
  const both = { calls: [200, 3_000, 2_000].map((count) => ({ name: 'read', input: { words: count } })) }

  const { run, model, signal } = await runOf([{ ...both, usage: { input: 0, output: 0 } }, 'Found.'])

  expect(signal.type).toBe('answer')
  expect(estimateMessages(model.calls[1]?.prompt ?? [])).toBeLessThan(800)
  expect(textOf(model.calls[1])).toContain(words(200))
  expect(textOf(model.calls[1])).toMatch(/tokens omitted/)
  expect(run.log.find(({ type }) => type === 'compacted')).toMatchObject({ strategy: 'cutResults' })
  expect(run.state.history.flat().at(1)).toMatchObject({ calls: [{}, { result: { value: words(3_000) } }, {}] })
})

it('fails when the message itself is too much, and each time again', async () => {
  const { made } = reader(['unasked'])
  const run = made.start(words(2_000))

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'context_full' } })
  run.resume()
  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'context_full' } })
  expect(run.state.compactions).toBe(0)
})

it('leaves it to the model to refuse what only its own count finds too much', async () => {
  const turns = [reads(100, { input: 4_000, output: 10 }), reads(100, { input: 4_200, output: 10 }), 'Found.']

  const { signal } = await runOf(turns, { keep: 1 })

  expect(signal).toMatchObject({ type: 'answer' })
})

it('puts off what would save little', async () => {
  const small = Array.from({ length: 60 }, () => reads(5))

  const { run } = await runOf([reads(100), ...small, 'Found.'], { strategies: [cutResults()] })

  expect(run.state.compactions).toBeLessThan(4)
})

it('never touches a message that is not received yet', async () => {
  const { made, model } = reader([reads(400), reads(400), 'Found.', 'Yes.'])
  const run = made.start('Find the word')
  await run.settled
  const question = words(150)
  await run.say(question)
  await run.settled

  expect(model.calls[3]?.prompt.at(-1)).toEqual({ role: 'user', content: [{ type: 'text', text: question }] })
})

it('never gives the model more than its window in 200 turns with long results', async () => {
  const given: number[] = []
  const line =
    (size: number): ScriptedTurn =>
    ({ prompt }) => {
      const input = Math.round(estimateMessages(prompt) * 1.2)
      given.push(input)
      return reads(size, { input, output: 20 })
    }
  const lines = Array.from({ length: 200 }, (_, n) => line(30 + ((n * 977) % 1_400)))

  const run = reader([...lines, 'Found.'], { contextWindow: 4_000 }).made.start('Find the word')

  expect((await run.settled).type).toBe('answer')
  expect(Math.max(...given)).toBeLessThan(4_000)
  expect(run.state.iteration).toBe(201)
  expect(run.state.compactions).toBeLessThan(100)
})

it('says what is wrong with its options', () => {
  expect(() => compact({ contextWindow: 0 })).toThrow(/contextWindow/)
  expect(() => compact({ contextWindow: 10, ratio: 2 })).toThrow(/ratio/)
  expect(() => compact({ contextWindow: 10, target: 0.9 })).toThrow(/target/)
})

it('has one agent work on many runs at once', async () => {
  const turns = Array.from({ length: 4 }, () => [reads(400), reads(400), 'Found.'] as const)
  const queues = new Map(turns.map((lines, index) => [`Find ${index}`, [...lines]]))
  const model = scriptedModel(
    ...Array.from(
      { length: 12 },
      (): ScriptedTurn =>
        ({ prompt }) => {
          const [first] = prompt
          const text = first?.role === 'user' && first.content[0]?.type === 'text' ? first.content[0].text : ''
          return queues.get(text)?.shift() ?? 'lost'
        },
    ),
  )
  const backend = reasonAct({ before: [compact({ contextWindow: 1_000, strategies: [dropTurns()] })] })
  const made = agent({ name: 'reader', model, tools: { read }, backend })
  const runs = turns.map((_, index) => made.start(`Find ${index}`))
  await Promise.all(runs.map((run) => run.settled))

  expect(runs.map(({ state }) => [state.compactions, state.signal?.type])).toEqual(turns.map(() => [1, 'answer']))
})

it('shortens to half of `ratio`, by results first, then by a summary, and by old turns if that fails', async () => {
  const longText = (count: number): ScriptedTurn => ({
    text: words(count),
    calls: [{ name: 'read', input: { words: 5 } }],
  })
  const strategiesOf = async (turn: ScriptedTurn, summary: string | Error) => {
    const told: [string, number][] = []
    const onCompaction: Observer['onCompaction'] = ({ strategy = '', after = 0 }) => told.push([strategy, after])
    const model = scriptedModel(({ tools }) => {
      if (!tools?.length) return summary
      return told.length > 0 ? 'Found.' : turn
    })
    const backend = reasonAct({ before: [compact({ contextWindow: 2_000, keep: 1 })], limits: { iterations: 50 } })
    const made = agent({ name: 'reader', model, tools: { read }, backend })
    await made.start('Find the word', { observers: [observer({ onCompaction })] }).settled
    return told
  }
  const [results, texts, failed] = [
    await strategiesOf(reads(300), 'Short.'),
    await strategiesOf(longText(200), 'Short.'),
    await strategiesOf(longText(200), new Error('down')),
  ]

  expect([results, texts, failed].map(([first]) => first?.[0])).toEqual(['cutResults', 'summarize', 'dropTurns'])
  for (const [first] of [results, texts, failed]) expect(first?.[1]).toBeLessThanOrEqual(800)
})
