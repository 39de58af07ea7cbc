import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { route } from '../agents/index.ts'
import { recorder, requestAt } from '../history/index.ts'
import { type Agent, agent, type Event, reasonAct, tool } from '../index.ts'
import { fork, memoryJournal } from '../journal/index.ts'
import { guardInput, limit, reflect } from './index.ts'
import { allow, block } from './verdict.ts'

const look = tool({ inputSchema: z.object({}), effect: 'readOnly', execute: () => 'nothing' })
const turn: ScriptedTurn = { calls: [{ name: 'look', input: {} }] }

/** Forks a run after each of its events, and returns how each fork ends, and what was said in it. */
async function forkedEverywhere(describe: () => Agent<string>, content: string) {
  const journal = memoryJournal()
  const run = describe().start(content, { journal })
  const whole = await run.settled
  const ends = []
  const saidIn = (log: readonly Event[]): unknown[] =>
    log.flatMap((event): unknown[] =>
      event.type === 'said' ? [event.content] : event.type === 'thought' ? [event.parts] : [],
    )
  const said = []
  for (let at = 1; at < run.log.length - 1; at++) {
    const forked = await fork(describe(), run.id, { at, journal })
    ends.push(await forked.settled)
    said.push(saidIn(forked.log))
  }
  return { whole, ends, said, saidInWhole: saidIn(run.log) }
}

it.each([false, true])('refuses a blocked message wherever the run is forked; in parallel: %j', async (parallel) => {
  const guard = guardInput(() => block('It holds a secret.'), { parallel })
  const describe = () =>
    agent({ name: 'a', model: scriptedModel(() => 'Hello.'), backend: reasonAct({ before: [guard] }) })

  const { whole, ends } = await forkedEverywhere(describe, 'A secret')

  expect(whole).toMatchObject({ error: { message: 'The message was blocked: It holds a secret.' } })
  expect(ends.length).toBeGreaterThan(1)
  for (const end of ends) expect(end).toEqual(whole)
})

it('keeps a blocked message from the model if the fork is sent something else at once', async () => {
  const model = scriptedModel(() => 'Hello.')
  const guard = guardInput((content) => (String(content).includes('secret') ? block('A secret.') : allow))
  const guarded = agent({ name: 'a', model, backend: reasonAct({ before: [guard] }) })
  const journal = memoryJournal()
  const run = guarded.start('A secret', { journal })
  await run.settled
  for (let at = 1; at < run.log.length; at++) {
    const forked = await fork(guarded, run.id, { at, journal })
    await forked.say('Hi').catch(() => {})
    await forked.settled
  }

  expect(JSON.stringify(model.calls)).not.toContain('A secret')
})

it('hands a run over wherever it is forked', async () => {
  const to = (name: string): ScriptedTurn => ({
    calls: [{ name: 'route_to', input: { agent: name, reason: 'For it.' } }],
  })
  const describe = () => {
    const helper = (name: string) => agent({ name, model: scriptedModel(() => `By ${name}.`) })
    const decisions = [to('one'), to('two'), to('end')]
    const model = scriptedModel((call) => {
      const by = ['By two.', 'By one.'].findIndex((text) => JSON.stringify(call.prompt).includes(text))
      return (by < 0 ? decisions[0] : decisions[2 - by]) as ScriptedTurn
    })
    return agent({ name: 'desk', model, backend: route({ agents: { one: helper('one'), two: helper('two') } }) })
  }

  const { whole, ends, said, saidInWhole } = await forkedEverywhere(describe, 'Go')

  expect(whole).toMatchObject({ type: 'answer', output: 'By two.' })
  for (const end of ends) expect(end).toEqual(whole)
  for (const each of said) expect(each).toEqual(saidInWhole)
})

it('settles before a turn if a step has spent the last tokens', async () => {
  const judge = scriptedModel({ text: 'Look.', usage: { input: 1_000, output: 1 } })
  const model = scriptedModel(turn, 'Done.')
  const backend = reasonAct({ limits: { tokens: 500 }, before: [reflect({ every: 1, model: judge })] })
  const described = agent({ name: 'a', model, tools: { look }, backend })
  const run = described.start('Go')

  expect(await run.settled).toMatchObject({ type: 'limitReached', limit: 'tokens' })
  expect(model.calls).toHaveLength(1)
})

it('asks for an interrupted last turn with the same request, and says once that it is the last', async () => {
  const cut = [{ type: 'error', error: new Error('It is down.') }] as never
  const model = scriptedModel(turn, cut, cut, cut, 'Done.')
  const backend = reasonAct({
    limits: limit({ iterations: 2 }, { lastTurn: 'reserved' }),
    think: { retries: 0 },
  })
  const described = agent({ name: 'a', model, tools: { look }, backend })
  const seen = recorder()
  const run = described.start('Go', { observers: [seen] })
  for (let signal = await run.settled; signal.type === 'failed'; signal = await run.settled) run.resume()
  const { events } = seen.export()
  const turns = events.filter((event: Event) => event.type === 'thought')

  const again = await Promise.all(turns.map(({ seq }) => requestAt(described, events, seq)))

  expect(again).toEqual(model.calls)
  expect(JSON.stringify(model.calls.at(-1)).split('This is your last turn')).toHaveLength(2)
})
