import { laws } from '@interleave/test-kit/laws'
import { resumedEverywhere } from '@interleave/test-kit/resumedEverywhere'
import { until } from '@interleave/test-kit/until'
import { expectTrace, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { recorder } from '../history/index.ts'
import { agent, finalAnswer, type Limits, prices, type RunState, reasonAct, type Step, tool } from '../index.ts'
import { savedRun } from '../journal/index.ts'
import { confidentAnswer } from '../stop/confidentAnswer.ts'
import { enforce, type LimitOptions, limit } from './index.ts'

const work = tool({ inputSchema: z.object({}), effect: 'readOnly', execute: () => 'worked' })
const turn = { calls: [{ name: 'work', input: {} }] }
const done = { calls: [{ name: 'final_answer', input: { answer: 'Done.' } }] }

interface Case extends LimitOptions {
  readonly limits?: Limits
  readonly stop?: Step
  readonly otherwise?: Step
}

function describe(
  model: ReturnType<typeof scriptedModel>,
  { limits = { iterations: 5 }, stop, otherwise, ...options }: Case,
) {
  const backend = reasonAct({ limits: limit(limits, options), ...(stop && { stop }), ...(otherwise && { otherwise }) })
  return agent({
    name: 'a',
    model,
    tools: { work },
    backend,
    prices: prices({ scripted: { input: 1_000_000, output: 1_000_000 } }),
  })
}

function start(turns: readonly ScriptedTurn[], options: Case) {
  const model = scriptedModel(...turns)
  const bundle = recorder()
  const run = describe(model, options).start('Go', { observers: [laws(), bundle] })
  return { run, model, events: () => bundle.export().events }
}
const saidIn = ({ history, pending }: RunState): string[] =>
  [...history.flat(), ...pending].flatMap((entry) =>
    entry.type === 'said' && entry.by === 'agent' ? [`${entry.content}`] : [],
  )
it('keeps the last turn for the answer', async () => {
  const { run, model, events } = start([turn, turn, 'As far as I know.'], {
    limits: { iterations: 3 },
    lastTurn: 'reserved',
  })

  expect(await run.settled).toEqual({ type: 'answer', output: 'As far as I know.', reason: 'text' })
  expect(model.calls.map(({ toolChoice }) => toolChoice?.type)).toEqual(['auto', 'auto', 'none'])
  expectTrace(
    events(),
    `
    0 started a
    0 said user "Go"
    1 thought "" work({})
    1 claimed 1/tool/0
    1 observed 1/tool/0 text "worked"
    2 thought "" work({})
    2 claimed 2/tool/0
    2 observed 2/tool/0 text "worked"
    2 noted limit {"request":1,"reminded":[],"asked":[],"last":3}
    2 said agent "This is your last turn. Answer now with what you have and call no tool. Say what is missing or uncertain."
    3 thought "As far as I know."
    3 settled answer "As far as I know."
    `,
  )
})

it.each<[Limits, number]>([
  [{ tokens: 45 }, 3],
  [{ tokens: 44 }, 3],
  [{ cost: 50 }, 4],
  [{ toolCalls: 2 }, 3],
])('sees at %j that a turn has to be the last', async (limits, last) => {
  const turns = Array.from({ length: last - 1 }, () => turn)
  const { run, model } = start([...turns, 'Done.'], { limits, lastTurn: 'reserved' })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(model.calls.map(({ toolChoice }) => toolChoice?.type)).toEqual([...turns.map(() => 'auto'), 'none'])
})

it('grants the last turn also where the limit was passed by surprise', async () => {
  const greedy = { ...turn, usage: { input: 1_000, output: 1 } }
  const { run } = start([turn, greedy, 'Done.'], { limits: { tokens: 100 }, lastTurn: 'reserved' })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
})

it('makes the model use the tool that ends a run, where there is one', async () => {
  const { run, model } = start([turn, done], { limits: { iterations: 2 }, lastTurn: 'reserved', stop: finalAnswer() })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(model.calls[1]).toMatchObject({ toolChoice: { type: 'required' }, tools: [{ name: 'final_answer' }] })
})

it('takes an answer of the last turn that is not sure enough, and a text that was not asked for', async () => {
  const unsure = { calls: [{ name: 'answer_with_confidence', input: { answer: 'Four.', confidence: 0.5 } }] }
  const last = { limits: { iterations: 2 }, lastTurn: 'reserved' } as const
  const sure = start([unsure, unsure], { ...last, stop: confidentAnswer() })
  const texts = start([turn, 'Four.'], { ...last, stop: finalAnswer(), otherwise: enforce() })

  expect(await sure.run.settled).toEqual({ type: 'answer', output: 'Four.', reason: 'completed', confidence: 0.5 })
  expect(await texts.run.settled).toEqual({ type: 'answer', output: 'Four.', reason: 'completed' })
})

it('has one last turn for each request, and settles after it', async () => {
  const { run } = start([turn, turn, turn, turn, 'Done.'], { limits: { iterations: 2 }, lastTurn: 'reserved' })
  expect(await run.settled).toMatchObject({ type: 'limitReached', used: 2 })

  await run.reply(run.state.asks[0]?.id ?? '', { extend: 1 })
  expect(await run.settled).toMatchObject({ type: 'limitReached', used: 3 })
  await run.say('Again.')

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(saidIn(run.state)).toHaveLength(2)
})

it('tries a last turn again that failed', async () => {
  const { run, model } = start([turn, new Error('Oops.'), 'Done.'], { limits: { iterations: 2 }, lastTurn: 'reserved' })
  await run.settled

  run.resume()

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(model.calls[2]?.toolChoice).toEqual({ type: 'none' })
  expect(saidIn(run.state)).toHaveLength(1)
})

it('continues with a last turn that was stopped', async () => {
  const stopping: ScriptedTurn = async () => {
    await run.stop()
    return 'unheard'
  }
  const options = { limits: { iterations: 2 }, lastTurn: 'reserved' } as const
  const { run, model } = start([turn, stopping, 'So far.'], options)
  expect(await run.settled).toMatchObject({ type: 'stopped' })

  run.resume()

  expect(await run.settled).toMatchObject({ output: 'So far.' })
  expect(model.calls[2]?.toolChoice).toEqual({ type: 'none' })
})

it('tells the model once what is left of each limit', async () => {
  const limits = { iterations: 5, tokens: 100 }
  const { run } = start([turn, turn, turn, turn, turn, turn, 'Done.'], { limits, remindAt: 0.6 })
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', { extend: 5 })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(saidIn(run.state)).toEqual([
    'You are near a limit. What is left: 2 of 5 iterations. Come to an answer within that.',
    'You are near a limit. What is left: 40 of 100 tokens. Come to an answer within that.',
  ])
})

it('reminds, asks beforehand and finishes in this order', async () => {
  const { run, events } = start([turn, turn, 'So far.'], { limits: { iterations: 2 }, remindAt: 0.5, askAt: 0.5 })
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', { finish: true })
  await run.settled

  expectTrace(
    events(),
    `
    0 started a
    0 said user "Go"
    1 thought "" work({})
    1 claimed 1/tool/0
    1 observed 1/tool/0 text "worked"
    1 noted limit {"request":1,"reminded":["iterations"],"asked":[]}
    1 said agent "You are near a limit. What is left: 1 of 2 iterations. Come to an answer within that."
    1 asked 0/limit/iterations/2 extension "1 of 2 iterations used. Go on for longer, or finish now?"
    1 noted limit {"request":1,"reminded":["iterations"],"asked":["iterations"]}
    2 thought "" work({})
    2 claimed 2/tool/0
    2 observed 2/tool/0 text "worked"
    2 settled limitReached iterations 2/2
    2 replied 0/limit/iterations/2 {"finish":true}
    2 noted limit {"request":1,"reminded":["iterations"],"asked":["iterations"],"last":3}
    2 said agent "This is your last turn. Answer now with what you have and call no tool. Say what is missing or uncertain."
    3 thought "So far."
    3 settled answer "So far."
    `,
  )
})

it('asks beforehand without waiting, and asks no more once the run has its answer', async () => {
  const { run, events } = start([turn, turn, turn, turn, 'Done.'], { askAt: 0.8 })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  const asked = events().filter(({ type }) => type === 'asked')
  expect(asked).toMatchObject([{ iteration: 4, ask: { kind: 'extension', used: 4, allowed: 5, finish: 'answer' } }])
  expect(run.state.asks).toEqual([])
})

it('asks the same question still when the limit is reached, and extends it once', async () => {
  const { run, events } = start([turn, turn, turn, turn, turn, 'Done.'], { limits: { iterations: 2 }, askAt: 0.5 })
  const signal = await run.settled
  if (signal.type !== 'limitReached') throw new Error(signal.type)
  await run.reply(signal.ask, { extend: 10 })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(events().filter(({ type }) => type === 'asked')).toHaveLength(1)
})

it.each<[string, object, string, number]>([
  ['goes on for longer', { extend: 3 }, 'Done.', 7],
  ['answers at once', { finish: true }, 'As far as I know.', 3],
])('%s when it is asked to while it works', async (_, reply, output, turns) => {
  let answer = (): void => {}
  const replied = new Promise<void>((resolve) => {
    answer = resolve
  })
  const third: ScriptedTurn = async ({ toolChoice }) => {
    await replied
    return toolChoice?.type === 'none' ? 'unasked' : turn
  }
  const next: ScriptedTurn = ({ toolChoice }) => (toolChoice?.type === 'none' ? 'As far as I know.' : turn)
  const { run, model } = start([turn, third, next, next, next, next, 'Done.'], { askAt: 0.2 })
  await until(() => run.state.asks.length > 0 && model.calls.length === 2)

  await run.reply(run.state.asks[0]?.id ?? '', reply)
  answer()

  expect(await run.settled).toMatchObject({ type: 'answer', output })
  expect(run.state.iteration).toBe(turns)
})

it('answers when it is finished at its limit, and continues after that as ever', async () => {
  const options = { limits: { iterations: 2 }, lastTurn: 'onFinish' } as const
  const { run, model } = start([turn, turn, 'So far.', turn, 'Done.'], options)
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', { finish: true })

  expect(await run.settled).toEqual({ type: 'answer', output: 'So far.', reason: 'text' })
  await run.say('Go on.')

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(model.calls.map(({ toolChoice }) => toolChoice?.type)).toEqual(['auto', 'auto', 'none', 'auto', 'auto'])
})

it('receives a message that comes in the last turn, and continues', async () => {
  let say: (() => Promise<void>) | undefined
  const last: ScriptedTurn = async () => {
    await say?.()
    return 'So far.'
  }
  const { run, model } = start([turn, turn, last, turn, 'Done.'], { askAt: 0.2 })
  run.subscribe((event) => event.type === 'asked' && void run.reply(event.ask, { finish: true }))
  say = () => run.say('And this?')

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(model.calls.map(({ toolChoice }) => toolChoice?.type)).toEqual(['auto', 'auto', 'none', 'auto', 'auto'])
})

it('ends where there is no answer even then, and can be continued with', async () => {
  const { run } = start([turn, turn, turn, 'Done.'], { limits: { iterations: 2 }, lastTurn: 'onFinish' })
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', { finish: true })
  expect(await run.settled).toEqual({ type: 'stopped', reason: 'Finished without an answer.' })

  run.resume()
  expect(await run.settled).toMatchObject({ type: 'limitReached', used: 3, ask: { used: 3 } })
  expect(run.state.asks[0]).not.toHaveProperty('finish')
  await run.reply(run.state.asks[0]?.id ?? '', { extend: 2 })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
})

it('does each once over a reload at any moment', async () => {
  const options: Case = { limits: { iterations: 4 }, remindAt: 0.5, askAt: 0.5, lastTurn: 'reserved' }
  const ends = await resumedEverywhere([turn, turn, turn, 'Done.'], (model) => describe(model, options))

  for (const { signal, state } of ends) {
    expect(signal).toMatchObject({ output: 'Done.' })
    const [lasts, reminders] = [/last turn/, /near a limit/].map((of) => saidIn(state).filter((said) => of.test(said)))
    expect(lasts).toHaveLength(1)
    expect(reminders?.length).toBeLessThanOrEqual(1)
    expect(state.notes.limit).toEqual({ request: 1, reminded: ['iterations'], asked: ['iterations'], last: 4 })
  }
})

it('keeps a question and the wish to finish over a reload', async () => {
  const options: Case = { limits: { iterations: 2 }, askAt: 0.5 }
  const { run } = start([turn, turn], options)
  await run.settled
  const log = JSON.parse(JSON.stringify(run.log))

  const after = await describe(scriptedModel('So far.'), options).resume(savedRun(log), { observers: [laws(log)] })
  await after.reply(run.state.asks[0]?.id ?? '', { finish: true })

  expect(await after.settled).toMatchObject({ output: 'So far.' })
})

it.each<[LimitOptions, RegExp]>([
  [{ remindAt: 0 }, /remindAt: 0/],
  [{ remindAt: 80 }, /remindAt: 80/],
  [{ askAt: 1 }, /askAt: 1/],
  [{ askAt: Number.NaN }, /askAt/],
])('refuses the options %j', (options, message) => {
  expect(() => limit({ iterations: 5 }, options)).toThrow(message)
})
