import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent } from './agent.ts'
import { fold } from './changes/all.ts'
import { reasonAct, tool } from './index.ts'
import { memoryJournal, savedRun } from './journal/index.ts'
import type { Journal } from './journal.ts'
import { checkLog } from './validate/validate.ts'

type Data = Record<string, unknown>

/** A log as it stands in storage. */
async function stored(): Promise<Data[]> {
  const journal = memoryJournal()
  await agent({ name: 'a', model: scriptedModel('Hi.') }).start('Hello', { id: 'r', journal }).settled
  return JSON.parse(JSON.stringify(await journal.read('r')))
}

const change = (seq: number, members: Data) => (log: Data[]) => void Object.assign(log[seq] as Data, members)

it.each<[string, (log: Data[]) => unknown, RegExp]>([
  ['no list', () => ({}), /it is not a list of events/],
  ['nothing', (log) => void log.splice(0), /it has no events/],
  ['no begin', (log) => void log.shift(), /does not begin with the start of a run/],
  ['a gap', (log) => void log.splice(1, 1), /event 1 has the seq 2/],
  ['another order', (log) => void log.reverse(), /does not begin/],
  ['a double', (log) => void log.splice(1, 0, log[1] as Data), /event 2 has the seq 1/],
  ['another run', change(0, { runId: 'x' }), /The log of run "r" cannot be used: it is of run "x"/],
  ['a second start', change(1, { type: 'started', runId: 'r', agent: 'a', version: '1' }), /event 1 is a second start/],
  ['a type of a later version', change(1, { type: 'dreamt' }), /event 1 has a wrong or missing "type"/],
  ['a type that every object has', change(1, { type: 'toString' }), /event 1 has a wrong or missing "type"/],
  ['a missing member', change(2, { usage: {} }), /event 2 has a wrong or missing "usage.inputTokens"/],
  ['a wrong part', change(2, { parts: [{ type: 'text' }] }), /"parts.0.text"/],
  ['a wrong iteration', change(2, { iteration: 7 }), /is of iteration 7, and 1 is the one at hand/],
  ['no object', (log) => void log.splice(1, 1, null as never), /event 1 is not an event/],
  ['a later format', change(0, { format: 2 }), /of format 2, and this version reads up to 1\. Update/],
  ['no format', change(0, { format: 'new' }), /its format is not a number/],
  ['a key for a prototype', (log) => void log.push(JSON.parse('{"__proto__":{"x":1}}')), /would change a prototype/],
  ['a deep value', change(1, { more: JSON.parse('['.repeat(200) + ']'.repeat(200)) }), /deeper than 100 levels/],
  ['a function', change(1, { more: [{ x: () => 1 }] }), /it has a function at "1\.more\.0\.x", which JSON cannot hold/],
  ['a bigint', change(1, { more: 1n }), /it has a bigint at "1\.more"/],
])('refuses a log with %s', async (_, damage, message) => {
  const log = await stored()
  const damaged = damage(log) ?? log

  expect(() => checkLog(damaged, { runId: 'r' })).toThrow(message)
  expect(() => checkLog(damaged, { runId: 'r' })).toThrow(expect.objectContaining({ code: 'log_invalid' }))
})

it('leaves members alone that it does not know', async () => {
  const log = await stored()
  change(2, { mood: 'good', constructor: 'a car', prototype: {} })(log)

  expect(checkLog(log)[2]).toMatchObject({ mood: 'good' })
})

it('reads a log with as many large results as a run could write', async () => {
  const [log, value] = [await stored(), 'x'.repeat(2 ** 24)]
  for (let seq = log.length; seq < 36; seq++) log.push({ seq, at: 1, iteration: 1, type: 'noted', key: 'k', value })

  expect(checkLog(log)).toHaveLength(36)
})

it('refuses a log before anything is done with it', async () => {
  const model = scriptedModel('Never said.')
  const [log, journal] = [await stored(), memoryJournal()]
  change(0, { format: 2 })(log)
  await journal.append('r', log.slice(0, 2) as never)

  await expect(agent({ name: 'a', model }).resume('r', { journal })).rejects.toMatchObject({ code: 'log_invalid' })

  expect(model.calls).toEqual([])
  expect(await journal.read('r')).toHaveLength(2)
})

it('says what to save in place of a state', async () => {
  const state = fold(checkLog(await stored()))

  expect(() => savedRun(state)).toThrow('it is not a list of events, such as `run.log`')
})

it('refuses the run of another agent, unless it had that name before', async () => {
  const journal = memoryJournal()
  await journal.append('r', checkLog(await stored()))
  const renamed = agent({ name: 'b', version: '2', model: scriptedModel('Again.') })

  await expect(renamed.resume('r', { journal })).rejects.toMatchObject({
    code: 'agent_mismatch',
    message: expect.stringContaining('{ renamedFrom: "a" }'),
  })
  const run = await renamed.resume('r', { journal, renamedFrom: 'a' })
  await run.say('And?')

  expect(await run.settled).toMatchObject({ output: 'Again.' })
})

it('continues with a run of an older version of its agent', async () => {
  const journal = memoryJournal()
  await journal.append('r', checkLog(await stored()))

  const run = await agent({ name: 'a', version: '2', model: scriptedModel() }).resume('r', { journal })

  expect(run.state.version).toBe('1')
})

it('refuses what a journal gives that is no log', async () => {
  const read = (() => undefined) as unknown as Journal['read']
  const journal = { ...memoryJournal(), read }

  const resumed = agent({ name: 'a', model: scriptedModel() }).resume('r', { journal })

  await expect(resumed).rejects.toMatchObject({ code: 'log_invalid', message: expect.stringContaining('no events') })
})

it.each([
  [{ finish: true, extend: 'x' }],
  [{ extend: 5, finish: false }],
  [{ extend: 5, finish: true }],
  [{ extend: '5' }],
  [{ extend: null }],
  [{}],
])('refuses a log in which a limit was answered with %j', async (value) => {
  const journal = memoryJournal()
  const work = tool({ inputSchema: z.object({}), execute: () => 'worked' })
  const model = scriptedModel({ calls: [{ name: 'work', input: {} }] }, 'Done.')
  const backend = reasonAct({ limits: { iterations: 1 } })
  const run = agent({ name: 'a', model, tools: { work }, backend }).start('Go', { id: 'r', journal })
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', { extend: 5 })
  await run.settled
  const log: Data[] = JSON.parse(JSON.stringify(await journal.read('r')))
  const seq = log.findIndex(({ type }) => type === 'replied')
  const before = fold(checkLog(log, { runId: 'r' }).slice(0, seq + 1))
  change(seq, { value })(log)

  expect(before.extensions).toEqual({ iterations: 5 })
  expect(() => checkLog(log, { runId: 'r' })).toThrow(`event ${seq} has a "value" that does not fit its question`)
  expect(fold(log.slice(0, seq + 1) as never).extensions).toEqual({})
})
