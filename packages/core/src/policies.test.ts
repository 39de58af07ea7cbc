import { laws } from '@interleave/test-kit/laws'
import { scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Agent, agent, approval, type Run, reasonAct, tool } from './index.ts'
import { memoryJournal, savedRun } from './journal/index.ts'
import { allow, block, guardCalls, limitCalls, rewrite } from './steps/index.ts'
import type { ToolOptions } from './tool.ts'
import { bundle } from './tools/bundle.ts'

interface Given {
  readonly name: string
  readonly input: unknown
  /** The reply of a user, if one is asked. */
  readonly reply: { readonly approved: boolean; readonly input?: unknown }
}
const inputSchema = z.strictObject({ cents: z.int().min(0).max(9) })
const fits = (input: unknown): boolean => inputSchema.safeParse(input).success
const centsOf = (input: unknown): number => (input as { cents: number }).cents

/**
 * The possible outcomes of a call under each policy: the cents that may be paid, or none. Independent of the code that
 * decides it.
 */
const policies: Readonly<Record<string, (given: Given) => number | undefined>> = {
  free: ({ input }) => (fits(input) ? centsOf(input) : undefined),
  asked: (given) => (fits(given.input) ? approved(given) : undefined),
  askedFrom5: (given) =>
    !fits(given.input) ? undefined : centsOf(given.input) < 5 ? centsOf(given.input) : approved(given),
  askedInWords: (given) =>
    !fits(given.input) ? undefined : centsOf(given.input) < 5 ? centsOf(given.input) : approved(given),
  blocked: () => undefined,
  rewritten: () => 1,
  rewrittenAndAsked: ({ reply }) => approved({ input: { cents: 1 }, reply }),
  keptFromTheTurn: () => undefined,
  inClosedBundle: () => undefined,
}
function approved({ input, reply }: Pick<Given, 'input' | 'reply'>): number | undefined {
  if (!reply.approved) return undefined
  if (reply.input === undefined) return centsOf(input)
  // An edit that does not fit is refused, and the person says no then.
  return fits(reply.input) ? centsOf(reply.input) : undefined
}

function describeAgent(calls: readonly Given[], onPay: (key: string, cents: number) => void): Agent {
  const pay = (more: Partial<ToolOptions<{ cents: number }, unknown>> = {}) =>
    tool({
      inputSchema,
      execute: ({ cents }, { idempotencyKey }) => onPay(idempotencyKey.replace(/^[^/]*\//, ''), cents),
      ...more,
    })
  const guard = guardCalls(({ name }) => {
    if (name === 'blocked') return block('No.')
    return name.startsWith('rewritten') ? rewrite({ cents: 1 }, 'Less.') : allow
  })
  const names = ['free', 'asked', 'askedFrom5', 'askedInWords', 'blocked', 'rewritten', 'rewrittenAndAsked', 'more']
  return agent({
    name: 'a',
    model: scriptedModel({ calls }, 'Done.'),
    tools: {
      free: pay(),
      asked: pay({ approve: approval() }),
      askedFrom5: pay({ approve: ({ cents }) => cents >= 5 && approval() }),
      askedInWords: pay({ approve: async ({ cents }) => cents >= 5 && approval('Sure?') }),
      blocked: pay(),
      rewritten: pay(),
      rewrittenAndAsked: pay({ approve: approval() }),
      keptFromTheTurn: pay(),
      more: bundle({ description: 'More.', tools: { inClosedBundle: pay() } }),
    },
    backend: reasonAct({
      before: [(run) => run.replan({ tools: [...names, 'inClosedBundle'] }) as undefined],
      between: [guard],
    }),
  })
}

/** Answers all questions, and resumes elsewhere before each if requested. */
async function answerAll(
  started: Run,
  agent: Agent,
  { calls, reloads }: { calls: readonly Given[]; reloads: boolean },
) {
  let run = started
  const asked = new Set<string>()
  while ((await run.settled).type === 'inputNeeded') {
    if (reloads) run = await agent.resume(savedRun(JSON.parse(JSON.stringify(run.log))))
    const id = run.state.asks[0]?.id ?? ''
    const { reply } = calls[Number(id.split('/')[2])] as Given
    // Asked again, since the reply did not fit.
    await run.reply(id, asked.has(id) ? { approved: false } : reply).catch(() => {})
    asked.add(id)
  }
  return run
}

const cents = fc.integer({ min: 0, max: 9 }).map((number) => ({ cents: number }))
const wrong = fc.constantFrom({}, { cents: 500 }, { cents: '5' }, { cents: 5, more: true }, null, [], '"cents"', {
  cents: 1.5,
})
const input = fc.oneof({ weight: 3, arbitrary: cents }, wrong)
const given: fc.Arbitrary<Given> = fc.record({
  name: fc.constantFrom(...Object.keys(policies), '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'unknown'),
  input,
  reply: fc.oneof(
    fc.record({ approved: fc.constant(true) }),
    fc.record({ approved: fc.constant(true), input }),
    fc.record({ approved: fc.constant(false) }),
  ),
})

it('row 2: executes what a policy allows and nothing else, whatever is called, replied and reloaded', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(given, { minLength: 1, maxLength: 8 }), fc.boolean(), async (calls, reloads) => {
      const paid: string[] = []
      const described = describeAgent(calls, (key, amount) => paid.push(`${key} ${amount}`))
      const started = described.start('Go', { observers: [laws()] })
      const run = await answerAll(started, described, { calls, reloads })

      const allowed = calls.flatMap((call, index) => {
        const amount = Object.hasOwn(policies, call.name) ? policies[call.name]?.(call) : undefined
        return amount === undefined ? [] : [`1/tool/${index} ${amount}`]
      })
      expect(paid.sort()).toEqual(allowed.sort())
      expect(run.state.signal).toMatchObject({ type: 'answer' })
      for (const { name } of calls) seen.add(name)
    }),
    { numRuns: 150 },
  )
  expect(seen.size).toBe(Object.keys(policies).length + 5)
})

it('row 2: bounds the calls of a message by a limit, and those of one tool by a rate', async () => {
  let looked = 0
  const look = tool({ inputSchema: z.object({}), execute: () => ++looked })
  const turn = { calls: Array.from({ length: 5 }, () => ({ name: 'look', input: {} })) }
  const backend = reasonAct({ limits: { toolCalls: 7 }, between: [limitCalls({ look: { calls: 7 } })] })
  const model = scriptedModel(turn, turn, turn, turn)

  const signal = await agent({ name: 'a', model, tools: { look }, backend }).start('Go').settled

  expect(signal).toMatchObject({ type: 'limitReached' })
  expect([looked, model.calls.length]).toEqual([7, 2])
})

it.each([
  ['the input that the model gave', /"input":\{"cents":5\}/g, '"input":{"cents":500}', [{ type: 'answer' }]],
  ['the input that a person gave', /"input":\{"cents":7\}/g, '"input":{"cents":700}', [{ type: 'inputNeeded' }]],
])('row 2: checks %s once more when the run continues elsewhere', async (_, pattern, changed, told) => {
  const paid: number[] = []
  const pay = tool({ inputSchema, approve: approval(), execute: ({ cents: amount }) => paid.push(amount) })
  const make = () =>
    agent({
      name: 'a',
      model: scriptedModel({ calls: [{ name: 'pay', input: { cents: 5 } }] }, 'Done.'),
      tools: { pay },
    })
  const journal = memoryJournal()
  const before = make().start('Go', { id: 'r', journal })
  await before.settled
  await before.reply('1/tool/0/approval', { approved: true, input: { cents: 7 } })
  await before.settled
  // The page died once the reply was durable, and the stored log was changed.
  const events = await journal.read('r')
  const replied = events.findIndex(({ type }) => type === 'replied')
  const text = JSON.stringify(events.slice(0, replied + 1))
  const damaged = memoryJournal()
  damaged.append('r', JSON.parse(text.replace(pattern, changed)))
  paid.length = 0

  const after = await agent({ ...{ name: 'a', model: scriptedModel('Done.') }, tools: { pay } }).resume('r', {
    journal: damaged,
  })
  await after.settled

  expect(text).toMatch(pattern)
  expect(paid).toEqual([])
  expect([await after.settled]).toMatchObject(told)
})
