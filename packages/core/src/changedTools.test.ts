import { laws } from '@interleave/test-kit/laws'
import { type ScriptedModel, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { END, graph, untilAnswer } from './graph/index.ts'
import { type Agent, agent, answer, approval, choice, confirm, reasonAct, type ToolSet, tool } from './index.ts'
import { type Journal, memoryJournal } from './journal/index.ts'

const inputSchema = z.object({})
const calling = (name: string, input: object = {}) => ({ calls: [{ name, input }] })

interface Before {
  readonly tools?: ToolSet
  readonly turns: readonly ScriptedTurn[]
  /** Answered before the code changed. */
  readonly replies?: readonly unknown[]
  readonly limits?: { readonly iterations: number }
}

/** Returns a run of earlier code, as far as it came: the run is left there when a tool does not return. */
async function begun({ tools = {}, turns, replies = [], limits }: Before): Promise<Journal> {
  const journal = memoryJournal()
  const backend = limits && reasonAct({ limits })
  const described = agent({ name: 'a', model: scriptedModel(...turns), tools, ...(backend && { backend }) })
  const run = described.start('Go', { id: 'r', journal, observers: [laws()] })
  const called = new Promise((resolve) => run.subscribe(({ type }) => type === 'claimed' && setTimeout(resolve, 5)))
  await Promise.race([run.settled, called])
  for (const value of replies) {
    await run.reply(run.state.asks[0]?.id ?? '', value)
    await Promise.race([run.settled, new Promise((resolve) => setTimeout(resolve, 5))])
  }
  return journal
}

async function proceed(described: Agent, journal: Journal) {
  const run = await described.resume('r', { journal })
  await new Promise((resolve) => setTimeout(resolve, 20))
  return { run, signal: await run.settled }
}
const told = (model: ScriptedModel): string => JSON.stringify(model.calls[0]?.prompt.at(-1))
const hang = () => new Promise<never>(() => {})

it('tells the model of a call that was begun that it may have done its work, though its tool is gone', async () => {
  const gone = tool({ inputSchema, execute: hang })
  const journal = await begun({ tools: { gone }, turns: [calling('gone')] })
  const model = scriptedModel('I see.')

  const { signal } = await proceed(agent({ name: 'a', model, tools: { renamed: gone } }), journal)

  expect(signal).toMatchObject({ output: 'I see.' })
  expect(told(model)).toContain('There is no tool \\"gone\\". The tools are: renamed.')
  expect(told(model)).toContain('This call was started before, and may already have run.')
})

it.each([
  ['an approval', { approve: approval() }, () => 'paid'],
  [
    'an answer',
    {},
    (_: unknown, { ask }: { ask: (question: ReturnType<typeof confirm>) => unknown }) => ask(confirm({ prompt: '?' })),
  ],
] as const)('checks the input of a call again that waited for %s', async (_, approve, execute) => {
  const pay = (schema: z.ZodType) => tool({ inputSchema: schema, ...approve, execute: execute as () => unknown })
  const old = pay(z.object({ euros: z.number() }))
  const journal = await begun({ tools: { pay: old }, turns: [calling('pay', { euros: 5 })] })
  const model = scriptedModel('I see.')

  const { run, signal } = await proceed(
    agent({ name: 'a', model, tools: { pay: pay(z.object({ cents: z.number() })) } }),
    journal,
  )

  expect(signal).toMatchObject({ output: 'I see.' })
  expect(run.state.asks).toEqual([])
  expect(told(model)).toMatch(/cents/)
})

it('asks again where an old answer does not fit the new question', async () => {
  const ask = (options: readonly string[]) =>
    tool({
      inputSchema,
      execute: async (_, { ask }) => [
        await ask(choice({ prompt: 'Which?', options })),
        await ask(confirm({ prompt: '?' })),
      ],
    })
  const journal = await begun({ tools: { ask: ask(['a', 'b']) }, turns: [calling('ask')], replies: ['a'] })

  const { run, signal } = await proceed(
    agent({ name: 'a', model: scriptedModel('Done.'), tools: { ask: ask(['c', 'd']) } }),
    journal,
  )

  expect(signal).toMatchObject({ type: 'inputNeeded' })
  expect(run.state.asks.map(({ prompt }) => prompt)).toEqual(['?', 'Which?'])
  for (const { kind, id } of run.state.asks) await run.reply(id, kind === 'choice' ? 'c' : true)
  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(JSON.stringify(run.state.history)).toContain('["c",true]')
})

it('continues where the limit is gone that asked', async () => {
  const look = tool({ inputSchema, execute: () => 'seen' })
  const journal = await begun({ tools: { look }, turns: [calling('look'), calling('look')], limits: { iterations: 1 } })

  const without = agent({ name: 'a', model: scriptedModel('Done.'), tools: { look }, backend: reasonAct() })
  const run = await without.resume('r', { journal })
  expect(await run.settled).toMatchObject({ type: 'limitReached' })
  await run.reply(run.state.asks[0]?.id ?? '', { extend: 1 })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
})

it('keeps an answer as it was given, and checks the next one by the new schema', async () => {
  const journal = memoryJournal()
  const typed = (output: z.ZodType, ...turns: ScriptedTurn[]) =>
    agent({ name: 'a', model: scriptedModel(...turns), output: answer(output) })
  const old = typed(z.object({ n: z.number() }), calling('final_answer', { n: 1 }))
  await old.start('Go', { id: 'r', journal }).settled

  const answers = [calling('final_answer', { n: 2 }), calling('final_answer', { text: 'two' })]
  const run = await typed(z.object({ text: z.string() }), ...answers).resume('r', { journal })

  expect(await run.settled).toMatchObject({ output: { n: 1 } })
  await run.say('Again')
  expect(await run.settled).toMatchObject({ output: { text: 'two' } })
})

it('says with which version a run began', async () => {
  const journal = memoryJournal()
  await agent({ name: 'a', version: '1.2', model: scriptedModel('Hi.') }).start('Go', { id: 'r', journal }).settled

  const run = await agent({ name: 'a', version: '2.0', model: scriptedModel('Again.') }).resume('r', { journal })
  await run.say('And?')
  await run.settled

  expect(run.state.version).toBe('1.2')
  expect(journal.list()).toMatchObject([{ version: '1.2' }])
})

it('continues in a graph with a run that began without one', async () => {
  const ask = tool({ inputSchema, execute: (_, { ask }) => ask(confirm({ prompt: 'Sure?' })) })
  const journal = await begun({ tools: { ask }, turns: [calling('ask')] })
  const backend = graph({
    name: 'g',
    nodes: { think: untilAnswer(reasonAct()) },
    start: 'think',
    edges: { think: END },
  })

  const { run } = await proceed(agent({ name: 'a', model: scriptedModel('Done.'), tools: { ask }, backend }), journal)
  await run.reply(run.state.asks[0]?.id ?? '', true)

  expect(await run.settled).toMatchObject({ output: 'Done.' })
})
