import { collect } from '@interleave/test-kit/collect'
import { laws } from '@interleave/test-kit/laws'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type AnyEvent, fold, isKept, recorder, replay } from './history/index.ts'
import { scratchpad } from './history/scratchpad.ts'
import { agent, type ToolSet, tool } from './index.ts'
import { savedRun } from './journal/index.ts'
import { eventsOf } from './log/runEvents.ts'

const look = tool({ inputSchema: z.object({}), effect: 'readOnly', execute: () => 'seen' })
const script: readonly ScriptedTurn[] = [
  { reasoning: 'hidden-a', text: 'hidden-b', calls: [{ name: 'look', input: {} }] },
  { reasoning: 'hidden-c', text: 'It is there.' },
]
const start = (turns: readonly ScriptedTurn[], tools: ToolSet = { look }, exposeReasoning = false) => {
  const exports = recorder({ live: true })
  const a = agent({ name: 'a', model: scriptedModel(...turns), tools, exposeReasoning })
  return { a, exports, run: a.start('Go', { observers: [exports, laws()] }) }
}
const textOf = (events: readonly AnyEvent[]) =>
  events.map((event) => (event.type === 'delta' && event.kind === 'text' ? event.delta : '')).join('')

it('keeps thoughts out of streams and exports, live ones too', async () => {
  const { run, exports } = start(script)

  const live = await collect(eventsOf(run))
  const past = await collect(eventsOf(run))

  for (const told of [live, past, exports.export()]) expect(JSON.stringify(told)).not.toContain('hidden')
  expect(textOf(live)).toBe('It is there.')
  expect(live.filter(isKept).map(({ seq }) => seq)).toEqual(Array.from({ length: run.state.seq }, (_, seq) => seq))
  expect(live.filter(isKept)).toEqual(past)
  expect(past.at(-1)).toMatchObject({ signal: { output: 'It is there.' } })
})

it('leaves the whole of it to the app', async () => {
  const { run } = start(script)
  const received: AnyEvent[] = []
  run.subscribe((event) => received.push(event))
  await run.settled

  expect(scratchpad(run.state)[0]).toMatchObject({ text: 'hidden-b', reasoning: 'hidden-a' })
  expect(JSON.stringify(received)).toContain('hidden-c')
})

it('exports what can be opened and replayed, with every call', async () => {
  const { run, exports } = start(script)
  await run.settled

  const opened = replay(JSON.parse(JSON.stringify(exports.export())))

  expect(opened.stateAt()).toMatchObject({ iteration: 2, toolCalls: 1, signal: { output: 'It is there.' } })
  expect(fold(opened.events).history.flat()).toHaveLength(3)
})

it('streams text at once where no turn can call a tool', async () => {
  const { run } = start([{ reasoning: 'hidden', text: 'One two' }], {})

  const types = (await collect(eventsOf(run))).map(({ type }) => type)

  expect(types).toEqual(['started', 'said', 'delta', 'delta', 'thought', 'settled'])
})

it('gives text that was held back just before its turn', async () => {
  const { run } = start(['One two'])

  const types = (await collect(eventsOf(run))).map(({ type }) => type)

  expect(types).toEqual(['started', 'said', 'delta', 'delta', 'thought', 'settled'])
})

it('hides the text of a turn that failed or was stopped, which might have called a tool', async () => {
  const endless: ScriptedTurn = () => [
    { type: 'text-delta', id: '0', delta: 'hidden' },
    { type: 'error', error: 'down' },
  ]
  const { run } = start([endless])

  expect(JSON.stringify(await collect(eventsOf(run)))).not.toContain('hidden')
})

it('holds for a run that continues elsewhere', async () => {
  const { run } = start([script[0] as ScriptedTurn, new Error('down')])
  await run.settled
  const open = agent({ name: 'a', model: scriptedModel({ reasoning: 'hidden', text: 'Done.' }), tools: { look } })

  const again = await open.resume(savedRun(JSON.parse(JSON.stringify(run.log))))
  const events = eventsOf(again, { follow: true, from: run.log.length })[Symbol.asyncIterator]()
  again.resume()
  await again.settled

  const told = [await events.next(), await events.next(), await events.next(), await events.next()]
  expect(told.map(({ value }) => value.type)).toEqual(['resumed', 'thinking', 'delta', 'thought'])
  expect(JSON.stringify(told)).not.toContain('hidden')
})

it('exposes everything by default', async () => {
  const { run, exports } = start(script, { look }, true)
  await run.settled

  expect(run.state.exposeReasoning).toBeUndefined()
  expect(JSON.stringify(exports.export())).toContain('hidden-a')
})
