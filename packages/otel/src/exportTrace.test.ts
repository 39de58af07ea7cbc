import { agent, choice, type Event, type StartOptions, tool } from '@interleave/core'
import { agentTool } from '@interleave/core/agents'
import { exportRun, memoryJournal } from '@interleave/core/journal'
import { manualHost, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { exportTrace, traceIds } from './exportTrace.ts'
import { otel } from './otel.ts'
import { Collected, tickingHost, timeOf } from './testing/collect.ts'

const call = (name: string, input: object = {}) => ({ calls: [{ name, input }] })
const pick = tool({
  inputSchema: z.object({}),
  effect: 'readOnly',
  execute: (_, { ask }) => ask(choice({ prompt: 'Which?', options: ['a', 'b'] })),
})

/** A run with a child run that asks, and the trace that was made of it at the time. */
async function aRun({ journal = memoryJournal(), ...options }: StartOptions = {}) {
  const collected = new Collected()
  const now = options.host?.now ?? Date.now
  const telemetry = otel(collected.tracer, { content: true, now })
  const helper = agent({ name: 'helper', model: scriptedModel(call('pick'), 'B.'), tools: { pick } })
  const tools = { help: agentTool(helper, { description: 'Helps.', observers: [telemetry] }) }
  const main = agent({ name: 'main', model: scriptedModel(call('help', { task: 'Pick.' }), 'Done.'), tools })
  const run = main.start('Hi', { id: 'one', journal, observers: [telemetry], ...options })
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', 'b')
  await run.settled
  return { run, collected, journal }
}

it('makes the same spans of a log as were made of its run, children too', async () => {
  const { run, collected, journal } = await aRun({ host: tickingHost() })
  const exported = new Collected()
  exportTrace(await exportRun(journal, run.id), exported.tracer, { content: true })

  expect(exported.tree).toEqual(collected.tree)
  const recorded = ({ spans }: Collected) =>
    spans.map(({ name, attributes }) => {
      const { 'gen_ai.response.time_to_first_chunk': _, ...others } = attributes
      return { name, attributes: others }
    })
  expect(recorded(exported)).toEqual(expect.arrayContaining(recorded(collected)))
})

it('keeps children below their calls if all happened in one millisecond, or the clock of a child was fast', async () => {
  const { run, collected, journal } = await aRun({ host: manualHost() })
  const file = await exportRun(journal, run.id)
  const later = (log: readonly Event[]) => log.map((event) => ({ ...event, at: event.at + 60_000 }))
  for (const below of [file.below ?? [], file.below?.map(later) ?? []]) {
    const exported = new Collected()
    exportTrace({ ...file, below }, exported.tracer, { content: true })
    expect(exported.tree.toSorted()).toEqual(collected.tree.toSorted())
  }
})

it('has the times of the events, also of before this process', async () => {
  const host = manualHost()
  const slow = tool({
    inputSchema: z.object({}),
    async execute() {
      await host.advance(3_000)
      return 'ok'
    },
  })
  const model = scriptedModel(async () => {
    await host.advance(500)
    return call('slow')
  }, 'Done.')
  const start = host.now()
  const run = agent({ name: 'guide', model, tools: { slow } }).start('Hi', { host })
  await run.settled
  const exported = new Collected()
  exportTrace(run.log, exported.tracer)

  expect(
    exported.spans.map(({ name, startTime, endTime }) => [name, timeOf(startTime) - start, timeOf(endTime) - start]),
  ).toEqual(
    expect.arrayContaining([
      ['invoke_agent guide', 0, 3_500],
      ['chat scripted', 0, 500],
      ['execute_tool slow', 500, 3_500],
      ['chat scripted', 3_500, 3_500],
    ]),
  )
})

it('gives the same ids for the same log, and others for another', async () => {
  const { run } = await aRun()
  const idsFor = (seed: string) => {
    const exported = new Collected(traceIds(seed))
    exportTrace(run.log, exported.tracer)
    return exported.spans.map((span) => `${span.spanContext().traceId} ${span.spanContext().spanId}`)
  }
  const ids = idsFor(run.id)

  expect(idsFor(run.id)).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^[\da-f]{32} [\da-f]{16}$/)
  expect(idsFor('other').some((id) => ids.includes(id))).toBe(false)
})

it('ends what a log leaves open, and refuses a file that is none', async () => {
  const { run } = await aRun()
  const exported = new Collected()
  exportTrace(run.log.slice(0, 4), exported.tracer)

  expect(exported.named('invoke_agent main').attributes['interleave.signal']).toBe('unfinished')
  expect(() => exportTrace({ format: 'other' } as never, exported.tracer)).toThrow('the file of a run')
  for (const nothing of [null, undefined, {}, 'log'])
    expect(() => exportTrace(nothing as never, exported.tracer)).toThrow('as its first argument')
  expect(() => exportTrace([null] as never, exported.tracer)).toThrow('The events of exportTrace() must be a list')
})
