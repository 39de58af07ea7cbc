import { laws } from '@interleave/test-kit/laws'
import { expectTrace, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { recorder } from '../history/index.ts'
import { agent, answer, confirm, type Json, reasonAct, tool } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'
import type { Call } from '../state.ts'
import { guardCalls } from './guard.ts'
import { allow, block, type Check, rewrite } from './verdict.ts'

const ran: unknown[] = []
const pay = tool({
  inputSchema: z.object({ cents: z.number() }),
  effect: 'idempotent',
  execute: ({ cents }) => `paid ${ran.push(cents) && cents}`,
})
const centsOf = ({ input }: Call) => (input as { cents: number }).cents
const thrifty: Check<Call, Json> = (call) => {
  if (centsOf(call) > 500) return block('Too much.')
  return centsOf(call) > 100 ? rewrite({ cents: 100 }, 'At most 100.') : allow
}
function made(check: Check<Call, Json>, ...cents: number[]) {
  ran.length = 0
  const calls = cents.map((each) => ({ name: 'pay', input: { cents: each } }))
  const model = scriptedModel({ calls }, 'Done.', 'Again.')
  return {
    model,
    guarded: agent({ name: 'a', model, tools: { pay }, backend: reasonAct({ between: [guardCalls(check)] }) }),
  }
}

it('rewrites the input of a call and blocks another, each with one observation', async () => {
  const { guarded, model } = made(thrifty, 50, 300, 900)
  const seen = recorder()
  await guarded.start('Go', { observers: [laws(), seen] }).settled

  expect(ran).toEqual([50, 100])
  expectTrace(
    seen.export().events,
    `
    0 started a
    0 said user "Go"
    1 thought "" pay({"cents":50}) pay({"cents":300}) pay({"cents":900})
    1 amended 1/tool/1 "At most 100."
    1 observed 1/tool/2 execution-denied "Too much."
    1 noted guard/calls {"turn":1}
    1 claimed 1/tool/0
    1 claimed 1/tool/1
    1 observed 1/tool/0 text "paid 50"
    1 observed 1/tool/1 text "paid 100"
    2 thought "Done."
    2 settled answer "Done."
    `,
  )
  expect(model.calls[1]?.prompt.at(-2)?.content).toMatchObject([{}, { input: { cents: 100 } }, {}])
})

it('checks a rewritten input against the schema', async () => {
  const { guarded } = made(() => rewrite({ cents: 'many' }), 50)
  const run = guarded.start('Go')
  await run.settled

  expect(ran).toEqual([])
  expect(run.state.history.flat()[1]).toMatchObject({ calls: [{ error: { code: 'tool_input_invalid' } }] })
})

it('leaves alone what is no call of a tool of ours', async () => {
  const seen: string[] = []
  const model = scriptedModel(
    {
      calls: [
        { name: 'pay', input: '{' },
        { name: 'final_answer', input: { answer: 1 } },
      ],
    },
    { calls: [{ name: 'final_answer', input: { n: 1 } }] },
  )
  const backend = reasonAct({ between: [guardCalls(({ name }) => block(`No ${seen.push(name)}.`))] })
  const run = agent({ name: 'a', model, tools: { pay }, output: answer(z.object({ n: z.number() })), backend }).start(
    'Go',
  )

  expect(await run.settled).toMatchObject({ output: { n: 1 } })
  expect(seen).toEqual([])
})

it('judges each call once, also after a reload in the middle of the calls', async () => {
  const seen: string[] = []
  const ask = tool({
    inputSchema: z.object({}),
    execute: (_, { ask: question }) => question(confirm({ prompt: 'Sure?' })),
  })
  const model = scriptedModel({ calls: [{ name: 'ask', input: {} }] }, 'Done.')
  const keeping: Check<Call, Json> = ({ key }) => {
    seen.push(key)
    return allow
  }
  const backend = reasonAct({ between: [guardCalls(keeping)] })
  const guarded = agent({ name: 'a', model, tools: { ask }, backend })
  const journal = memoryJournal()
  const first = guarded.start('Go', { journal })
  await first.settled

  const run = await guarded.resume(first.id, { journal })
  await run.reply(run.state.asks[0]?.id ?? '', true)

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(seen).toEqual(['1/tool/0'])
})

it('runs no call of a turn when the check throws, and judges again on resume', async () => {
  let works = false
  const { guarded } = made(
    (call) => {
      if (!works && centsOf(call) === 20) throw new Error('no network')
      return allow
    },
    10,
    20,
  )
  const run = guarded.start('Go', { observers: [laws()] })

  expect(await run.settled).toMatchObject({ error: { code: 'guard_failed' } })
  expect(ran).toEqual([])
  works = true
  run.resume()
  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(ran).toEqual([10, 20])
})

it('can be stopped while it judges: no call has run, and each has its observation', async () => {
  const { guarded } = made(() => new Promise(() => {}), 10)
  const run = guarded.start('Go', { observers: [laws()] })
  await new Promise((resolve) => setTimeout(resolve, 5))
  await run.stop()

  expect(ran).toEqual([])
  expect(run.state.history.flat()[1]).toMatchObject({ calls: [{ error: { code: 'stopped' } }] })
})
