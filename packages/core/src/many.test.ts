import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { collect } from '@interleave/test-kit/collect'
import { laws } from '@interleave/test-kit/laws'
import { formatTrace, manualHost, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, choice, type Run, tool } from './index.ts'
import { memoryJournal } from './journal/index.ts'
import { eventsOf } from './log/runEvents.ts'

const textOf = (prompt: LanguageModelV4Prompt) => {
  const [first] = prompt
  const [part] = first?.role === 'user' ? first.content : []
  return part?.type === 'text' ? part.text : ''
}

/** Answers every run from its own prompt alone: first a call with the name of the run, then what came of it. */
const echoing = (count: number) =>
  scriptedModel(
    ...Array.from(
      { length: count * 2 },
      (): ScriptedTurn =>
        ({ prompt }) => {
          const name = textOf(prompt)
          if (prompt.length === 1) return { calls: [{ name: 'note', input: { name } }], usage: { input: Number(name) } }
          return `${name}: ${JSON.stringify(prompt.at(-1)?.content)}`
        },
    ),
  )

it('keeps a thousand runs of one agent apart', async () => {
  const note = tool({
    inputSchema: z.object({ name: z.string() }),
    execute: async ({ name }, { once, idempotencyKey }) => {
      await new Promise((resolve) => setTimeout(resolve, Number(name) % 7))
      return once('key', () => `${name} of ${idempotencyKey}`)
    },
  })
  const described = agent({ name: 'a', model: echoing(1_000), tools: { note } })
  const journal = memoryJournal()
  const names = Array.from({ length: 1_000 }, (_, n) => String(n))

  const runs = names.map((name) => described.start(name, { journal, id: `run-${name}` }))
  const signals = await Promise.all(runs.map(({ settled }) => settled))

  for (const [n, { state }] of runs.entries()) {
    expect(signals[n]).toMatchObject({ output: expect.stringMatching(`^${n}: .*"${n} of run-${n}/1/tool/0"`) })
    expect([state.runId, state.seq, state.usage.inputTokens]).toEqual([`run-${n}`, 8, n + 10])
  }
  expect(await journal.list({ limit: 2_000 })).toHaveLength(1_000)
})

it('asks a hundred users at once, each of the right run', async () => {
  const note = tool({
    inputSchema: z.object({ name: z.string() }),
    execute: async ({ name }, { ask }) => ask(choice({ prompt: `${name}?`, options: [name] })),
  })
  const described = agent({ name: 'a', model: echoing(100), tools: { note } })
  const runs = Array.from({ length: 100 }, (_, n) => described.start(String(n)))
  await Promise.all(runs.map(({ settled }) => settled))

  await Promise.all(runs.map((run, n) => run.reply('1/tool/0/ask/0', String(n))))

  for (const [n, run] of runs.entries())
    expect(await run.settled).toMatchObject({ output: expect.stringMatching(`^${n}: `) })
})

it('has the same order of events in each run, whatever the others do', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const later = <T>(value: T): Promise<T> => scheduler.schedule(Promise.resolve(value))
      const note = tool({ inputSchema: z.object({ name: z.string() }), execute: ({ name }) => later(`noted ${name}`) })
      const model = scriptedModel(
        ...Array.from(
          { length: 10 },
          (): ScriptedTurn =>
            async ({ prompt }) => {
              await later(undefined)
              return prompt.length === 1 ? { calls: [{ name: 'note', input: { name: 'x' } }] } : 'Done.'
            },
        ),
      )
      const described = agent({ name: 'a', model, tools: { note } })
      const runs = Array.from({ length: 5 }, () => described.start('Go', { host: manualHost(), observers: [laws()] }))
      const traces = runs.map(traceOf)

      await scheduler.waitFor(Promise.all(runs.map(({ settled }) => settled)))

      expect(new Set(await Promise.all(traces)).size).toBe(1)
    }),
    { numRuns: 30 },
  )
})

const traceOf = async (run: Run): Promise<string> => formatTrace(await collect(eventsOf(run)))

it('makes one log of parallel calls, in which each is claimed before it is observed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 5 }), async (scheduler, count) => {
      const work = tool({ inputSchema: z.object({}), execute: () => scheduler.schedule(Promise.resolve('ok')) })
      const calls = Array.from({ length: count }, () => ({ name: 'work', input: {} }))
      const run = agent({ name: 'a', model: scriptedModel({ calls }, 'Done.'), tools: { work } }).start('Go', {
        observers: [laws()],
      })
      const order: string[] = []
      run.subscribe((event) => {
        if (event.type === 'claimed' || event.type === 'observed') order.push(`${event.call} ${event.type}`)
      })

      await scheduler.waitFor(run.settled)

      expect(order).toHaveLength(count * 2)
      for (let n = 0; n < count; n++) {
        expect(order.indexOf(`1/tool/${n} called`)).toBeLessThan(order.indexOf(`1/tool/${n} observed`))
      }
    }),
    { numRuns: 30 },
  )
})
