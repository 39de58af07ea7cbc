import { laws } from '@interleave/test-kit/laws'
import { providerCall } from '@interleave/test-kit/providerParts'
import { expectTrace, manualHost, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Agent, agent, answer, approval, type Run, reasonAct, type Step, tool } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'
import { eventsOf } from '../log/runEvents.ts'
import { planNext } from '../tools/index.ts'
import { type RouteOptions, route } from './index.ts'

const inputSchema = z.object({})
const to = (agent: string, more: object = {}): ScriptedTurn => ({
  calls: [{ name: 'route_to', input: { agent, reason: `For ${agent}.`, ...more } }],
})
const helper = (name: string, ...turns: ScriptedTurn[]): Agent => agent({ name, model: scriptedModel(...turns) })

const refund = tool({ inputSchema, approve: approval(), effect: 'idempotent', execute: () => 'refunded' })
const paying = (...turns: ScriptedTurn[]): Agent =>
  agent({ name: 'billing', model: scriptedModel(...turns), tools: { refund } })
const refunding: ScriptedTurn = { calls: [{ name: 'refund', input: {} }] }

interface Desk extends Partial<RouteOptions> {
  router: readonly ScriptedTurn[]
}
const desk = ({ router, agents = {}, ...options }: Desk): Agent<string> =>
  agent({ name: 'desk', model: scriptedModel(...router), backend: route({ agents, ...options }) })

async function approveAll(run: Run): Promise<unknown> {
  for (let signal = await run.settled; ; signal = await run.settled) {
    if (signal.type !== 'inputNeeded') return signal
    for (const ask of signal.asks) await run.reply(ask.id, { approved: true })
  }
}

it('hands the run to one agent after the other, and ends by its own decision', async () => {
  const run = desk({
    router: [to('billing'), to('tech', { message: 'Explain the refund.' }), to('end')],
    agents: {
      billing: { agent: paying(refunding, 'Refunded.'), when: 'Money.' },
      tech: helper('tech', 'It is a refund.'),
    },
  }).start('Refund me', { host: manualHost(), observers: [laws()] })

  expect(await approveAll(run)).toMatchObject({ type: 'answer', output: 'It is a refund.', reason: 'text' })

  const events = []
  for await (const event of eventsOf(run)) if (event.type !== 'noted' || !event.usage) events.push(event)
  const answer = (output: string) => `"answer":{"type":"answer","output":"${output}","reason":"text"}`
  const place = (n: number, at: string, name: string) =>
    `${at} noted route/desk {"request":1,"decisions":${n},"handOvers":${n},"to":"${name}","last":"${name}","reason":"For ${name}."`
  expectTrace(
    events,
    `
    0 started desk
    0 said user "Refund me"
    ${place(1, '0', 'billing')}}
    1 thought "" refund({})
    1 asked 1/tool/0/approval approval "Allow refund?"
    1 settled inputNeeded 1/tool/0/approval
    1 replied 1/tool/0/approval {"approved":true}
    1 claimed 1/tool/0
    1 observed 1/tool/0 text "refunded"
    2 thought "Refunded."
    ${place(1, '2', 'billing')},${answer('Refunded.')}}
    2 said agent "Explain the refund."
    ${place(2, '2', 'tech')}}
    3 thought "It is a refund."
    ${place(2, '3', 'tech')},${answer('It is a refund.')}}
    3 noted route/desk {"request":1,"decisions":3,"handOvers":2,"to":"end","last":"tech","reason":"For end.",${answer('It is a refund.')}}
    3 settled answer "It is a refund."
    `,
  )
})

it('decides next to the conversation, with the agents by name', async () => {
  const router = scriptedModel(to('billing'), to('end'))
  const billing = scriptedModel('Paid.')
  const agents = { billing: { agent: agent({ name: 'b', model: billing, instructions: 'You bill.' }), when: 'Money.' } }
  const run = agent({ name: 'desk', model: router, instructions: 'Be quick.', backend: route({ agents }) }).start('Pay')
  const texts: string[] = []
  run.subscribe((event) => event.type === 'delta' && texts.push(event.delta))
  await run.settled

  const [first, second] = router.calls
  expect(first?.prompt[0]).toMatchObject({ content: expect.stringMatching(/^Be quick\..*- billing: Money\./s) })
  expect(first).toMatchObject({ toolChoice: { type: 'tool', toolName: 'route_to' } })
  expect(second?.prompt.slice(1, -1).map(({ role }) => role)).toEqual(['user', 'assistant'])
  expect(billing.calls[0]?.prompt).toMatchObject([{ content: 'You bill.' }, { role: 'user' }])
  expect(texts.join('')).toBe('Paid.')
  expect(run.state.usage.inputTokens).toBe(30)
})

it('answers with words of its own, which its agents receive of', async () => {
  const billing = scriptedModel('Paid.')
  const run = desk({
    router: [to('end', { answer: 'Hello!' }), to('billing'), to('end')],
    agents: { billing: agent({ name: 'b', model: billing }) },
  }).start('Hi')
  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Hello!' })

  await run.say('Pay')
  expect(await run.settled).toMatchObject({ output: 'Paid.' })

  expect(billing.calls[0]?.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
})

it.each<[string, ScriptedTurn, string]>([
  ['an agent that is not there', to('sales'), 'there is no agent "sales"; there are "billing", "end"'],
  ['an end without an answer', to('end'), 'no agent has answered yet'],
  ['no decision', 'I would say money.', 'it has to be of type object'],
])('sends back %s', async (_, wrong, problem) => {
  const router = scriptedModel(wrong, to('billing'), to('end'))
  const backend = route({ agents: { billing: helper('billing', 'Paid.') } })
  const run = agent({ name: 'desk', model: router, backend }).start('Pay')

  expect(await run.settled).toMatchObject({ output: 'Paid.' })

  expect(router.calls[1]?.prompt.at(-1)).toMatchObject({ content: [{ text: expect.stringContaining(problem) }] })
})

it.each(['{"agent":"Billing","reason":""}', '```json\n{"agent":"billing"}\n```', 'billing'])(
  'takes %j from a model without tools',
  async (decision) => {
    const router = scriptedModel(decision, 'end')
    const backend = route({ agents: { billing: helper('billing', 'Paid.') }, by: 'json' })
    const run = agent({ name: 'desk', model: router, backend }).start('Pay')

    expect(await run.settled).toMatchObject({ output: 'Paid.' })
    expect(router.calls[0]).toMatchObject({ responseFormat: { type: 'json', name: 'route_to' } })
  },
)

it('fails when it comes to no decision, and asks again when it continues', async () => {
  const router = [to('x'), to('y'), to('z'), to('billing'), to('end')]
  const run = desk({ router, agents: { billing: helper('billing', 'Paid.') } }).start('Pay')
  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'answer_invalid' } })

  run.resume()

  expect(await run.settled).toMatchObject({ output: 'Paid.' })
})

it('does not hand over for ever', async () => {
  const replies = ['1', '2', '3'].map((n) => `Answer ${n}.`)
  const ping = Array.from({ length: 9 }, (_, n) => to(n % 2 ? 'pong' : 'ping'))
  const run = desk({
    router: ping,
    agents: { ping: helper('ping', ...replies), pong: helper('pong', ...replies) },
    handOvers: 3,
  }).start('Go')

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Answer 2.', reason: 'completed' })
})

it('ends with the first answer when agents do not hand back', async () => {
  const run = desk({
    router: [to('a'), to('b')],
    agents: { a: helper('a', 'A.'), b: helper('b', 'B.') },
    handBack: false,
  })
  const going = run.start('Go')
  expect(await going.settled).toMatchObject({ output: 'A.' })

  await going.say('More')
  expect(await going.settled).toMatchObject({ output: 'B.' })
})

it('leaves the next message with the same agent when it is sticky', async () => {
  const run = desk({ router: [to('a')], agents: { a: helper('a', 'A.', 'B.') }, handBack: false, sticky: true }).start(
    'Go',
  )
  await run.settled

  await run.say('More')

  expect(await run.settled).toMatchObject({ output: 'B.' })
})

it('gives an answer of its own type', async () => {
  const output = z.object({ cents: z.number() })
  const final = (cents: unknown): ScriptedTurn => ({ calls: [{ name: 'final_answer', input: { cents } }] })
  const billing = agent({ name: 'billing', model: scriptedModel(final(5)), output: answer(output) })
  const backend = route({ agents: { billing, chat: helper('chat', 'Hm.') } })
  const model = scriptedModel(to('chat'), to('end'), to('billing'), to('end'))
  const run = agent({ name: 'desk', model, output: answer(output), backend }).start('Pay')

  expect(await run.settled).toMatchObject({ output: { cents: 5 } })
})

it.each<[string, Partial<RouteOptions>]>([
  ['does not hand back', { handBack: false }],
  ['is the last that may have the run', { handOvers: 1 }],
])('fails with an answer that is not of its own type, where the agent %s', async (_, options) => {
  const output = z.object({ cents: z.number() })
  const backend = route({ agents: { chat: helper('chat', 'Hm.') }, ...options })
  const run = agent({ name: 'desk', model: scriptedModel(to('chat')), output: answer(output), backend }).start('Pay')

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'answer_invalid' } })
})

it('takes an answer in its own type from an agent that does not hand back', async () => {
  const output = z.object({ cents: z.number().default(7) })
  const backend = route({ agents: { chat: helper('chat', '{}') }, handBack: false })
  const run = agent({ name: 'desk', model: scriptedModel(to('chat')), output: answer(output), backend }).start('Pay')

  expect(await run.settled).toMatchObject({ output: { cents: 7 } })
})

it('routes to routers', async () => {
  const inner = desk({ router: [to('billing'), to('end')], agents: { billing: helper('billing', 'Paid.') } })
  const outer = agent({
    name: 'front',
    model: scriptedModel(to('desk'), to('end')),
    backend: route({ agents: { desk: inner } }),
  })

  expect(await outer.start('Pay').settled).toMatchObject({ output: 'Paid.' })
})

/** Creates an agent that says the same each time it is called: its decisions are in its prompt. */
const steady = (): Agent<string> => {
  const turn: ScriptedTurn = ({ prompt }) => {
    const done = JSON.stringify(prompt)
    if (done.includes('Explained.')) return to('end')
    return done.includes('Refunded.') ? to('tech') : to('billing')
  }
  const work: ScriptedTurn = ({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Refunded.' : refunding)
  const many = (one: ScriptedTurn) => Array.from({ length: 20 }, () => one)
  const agents = { billing: paying(...many(work)), tech: helper('tech', ...many('Explained.')) }
  return desk({ router: many(turn), agents })
}

it('is with the same agent after a crash at any event', async () => {
  const whole = memoryJournal()
  await approveAll(steady().start('Go', { id: 'r', journal: whole }))
  const events = await whole.read('r')

  for (let length = 2; length < events.length; length++) {
    const journal = memoryJournal()
    await journal.append('r', events.slice(0, length))
    const run = await steady().resume('r', { journal })

    expect(await approveAll(run), `cut after ${length}`).toMatchObject({ type: 'answer', output: 'Explained.' })
  }
})

it('can be stopped at any event, and continues', async () => {
  const whole = memoryJournal()
  await approveAll(steady().start('Go', { id: 'r', journal: whole }))
  const { length } = await whole.read('r')

  for (let seq = 1; seq < length; seq++) {
    const run = steady().start('Go')
    let stopping: Promise<void> | undefined
    run.subscribe((_, state) => {
      if (state.seq === seq) stopping ??= run.stop()
    })
    await approveAll(run).catch(() => {})
    await stopping
    if (run.state.signal?.type === 'stopped') run.resume()
    expect(await approveAll(run), `stopped at ${seq}`).toMatchObject({ type: 'answer' })
  }
})

it('receives what is said while it decides', async () => {
  let run: Run | undefined
  const router: ScriptedTurn[] = [
    async () => {
      await undefined
      await run?.say('And tell me why')
      return to('end', { answer: 'Hello!' })
    },
    to('chat'),
    to('end'),
  ]
  run = desk({ router, agents: { chat: helper('chat', 'Because.') } }).start('Hi')

  expect(await run.settled).toMatchObject({ output: 'Because.' })
  expect(run.state.pending).toEqual([])
})

it('keeps two runs apart', async () => {
  const described = steady()
  const runs = ['x', 'y'].map((name) => described.start(name, { observers: [laws()] }))

  expect(await Promise.all(runs.map(approveAll))).toMatchObject([{ output: 'Explained.' }, { output: 'Explained.' }])
})

it('refuses what cannot work', () => {
  expect(() => route({ agents: {} })).toThrow('needs agents')
  expect(() => route({ agents: { end: helper('a') } })).toThrow('Rename it')
  expect(() => route({ agents: { a: {} as Agent } })).toThrow('not an agent')
  expect(() => route({ agents: { a: helper('a') }, handOvers: 0 })).toThrow('1 or more')
})

it('keeps thoughts to itself where they are not exposed', async () => {
  const agents = { billing: paying({ text: 'A secret.', calls: [{ name: 'refund', input: {} }] }, 'Refunded.') }
  const model = scriptedModel(to('billing'), to('end'))
  const run = agent({ name: 'desk', model, backend: route({ agents }), exposeReasoning: false }).start('Go')
  const told: unknown[] = []
  const telling = (async () => {
    for await (const event of eventsOf(run, { follow: true }))
      if (told.push(event) && run.state.signal?.type === 'answer') break
  })()
  await approveAll(run)
  await telling

  expect(JSON.stringify(told)).not.toMatch(/secret|For billing/)
})

it('plans by the tools of the agent that has the run', async () => {
  const look = planNext(tool({ inputSchema, execute: () => 'ok' }), { instructions: 'Be brief.' })
  const model = scriptedModel({ calls: [{ name: 'look', input: {} }] }, 'Seen.')
  const looker = agent({ name: 'looker', model, tools: { look } })

  await desk({ router: [to('looker'), to('end')], agents: { looker } }).start('Go').settled

  expect(model.calls[1]?.prompt[0]).toEqual({ role: 'system', content: 'Be brief.' })
})

it('leaves no calls of one agent to the next', async () => {
  const hurry: Step = (run) =>
    run.state.iteration === 1 ? { type: 'answer', output: 'Hasty.', reason: 'completed' } : undefined
  const model = scriptedModel({ calls: [{ name: 'gone', input: {} }] })
  const hasty = agent({ name: 'hasty', model, backend: reasonAct({ between: [hurry] }) })
  const agents = { hasty, calm: helper('calm', 'Calm.') }
  const run = desk({ router: [to('hasty'), to('calm'), to('end')], agents }).start('Go')

  expect(await run.settled).toMatchObject({ output: 'Calm.' })
  expect(run.state.history.flat()[1]).toMatchObject({ calls: [{ error: { code: 'tool_skipped' } }] })
})

it('asks no model before the journal has the message', async () => {
  const kept = memoryJournal()
  const lengths: number[] = []
  const router = async () => {
    lengths.push((await kept.read('r')).length)
    return { calls: [{ name: 'route_to', input: { agent: 'end', reason: '', answer: 'Hello.' } }] }
  }
  const append: typeof kept.append = async (...given) => {
    await Promise.resolve()
    await kept.append(...given)
  }
  const made = desk({ router: [router], agents: { billing: helper('billing') } })
  const run = made.start('Hi', { id: 'r', journal: { ...kept, append } })

  expect(await run.settled).toMatchObject({ output: 'Hello.' })
  expect(lengths).toEqual([2])
})

it('asks no model while the journal takes nothing', async () => {
  const append = () => Promise.reject(new Error('Away.'))
  let calls = 0
  const router = (): ScriptedTurn => {
    calls++
    return to('billing')
  }
  const made = desk({ router: [router], agents: { billing: helper('billing') } })
  const run = made.start('Hi', { id: 'r', journal: { ...memoryJournal(), append } })

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'journal_failed' } })
  expect(calls).toBe(0)
})

it('counts what a user always allows for one agent only for that one', async () => {
  const ran: string[] = []
  const clerk = (name: string): Agent => {
    const pay = tool({ description: 'Pays.', inputSchema, approve: approval(), execute: () => ran.push(name) })
    const paying: ScriptedTurn = { calls: [{ name: 'pay', input: {} }] }
    return agent({ name, model: scriptedModel(paying, paying, 'Paid.'), tools: { pay } })
  }
  const agents = { billing: clerk('billing'), sales: clerk('sales') }
  const made = desk({ router: [to('billing'), to('sales'), to('end')], agents })
  const run = made.start('Pay', { observers: [laws()] })

  for (const name of ['billing', 'sales']) {
    expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ tool: 'pay', agent: name }] })
    await run.reply(run.state.asks[0]?.id ?? '', { approved: true, remember: 'tool' })
  }

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect(ran).toEqual(['billing', 'billing', 'sales', 'sales'])
  expect(run.state.permissions?.map(({ ask }) => ask.agent)).toEqual(['billing', 'sales'])
})

it('asks again about a call whose log does not say which agent made it', async () => {
  const old = steady().start('Refund me', { id: 'r' })
  await old.settled
  const journal = memoryJournal()
  const isNew = (key: string, value: unknown) => key === 'agent' && value === 'billing'
  const log = JSON.parse(JSON.stringify(old.log), (key, value) => (isNew(key, value) ? undefined : value))
  await journal.append('r', log)

  const run = await steady().resume('r', { journal })
  await expect.poll(() => run.state.asks).toMatchObject([{ id: '1/tool/0/approval~re7', agent: 'billing' }])

  expect(await approveAll(run)).toMatchObject({ type: 'answer', output: 'Explained.' })
})

it('names the agent that was chosen when a provider wants to run its own tool', async () => {
  const run = desk({ router: [to('cleaner')], agents: { cleaner: helper('cleaner', providerCall) } }).start(
    'Delete 7',
    {
      journal: memoryJournal(),
    },
  )

  expect(await run.settled).toMatchObject({ asks: [{ kind: 'approval', tool: 'mcp.delete', agent: 'cleaner' }] })
})

it.each([approval(), () => approval()] as const)(
  'refuses two agents of one name if a permission for the one would count for the other: approve %s',
  (approve) => {
    const clerk = (name: string, pays = tool({ inputSchema, approve, execute: () => 'Paid.' })): Agent =>
      agent({ name, model: scriptedModel(), tools: { pay: pays } })
    const nested = agent({ name: 'sales', model: scriptedModel(), backend: route({ agents: { a: clerk('clerk') } }) })
    const shared = tool({ inputSchema, approve, execute: () => 'Paid.' })

    const refused = /two agents are named "clerk", and each has a tool "pay".*different names/
    expect(() => route({ agents: { a: clerk('clerk'), b: clerk('clerk') } })).toThrow(refused)
    expect(() => route({ agents: { a: clerk('clerk'), nested } })).toThrow(refused)
    expect(() => route({ agents: { a: clerk('clerk'), b: clerk('other') } })).not.toThrow()
    expect(() => route({ agents: { a: clerk('clerk', shared), b: clerk('clerk', shared) } })).not.toThrow()
    expect(() => route({ agents: { a: helper('clerk'), b: clerk('clerk') } })).not.toThrow()
  },
)
