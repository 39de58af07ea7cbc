import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Event } from '@interleave/core'
import { exportRun } from '@interleave/core/journal'
import { fold, type RunFile } from '@interleave/core/observe'
import { sampleRuns, wholeLife } from '@interleave/test-kit/sampleRuns'
import { expect, it } from 'vitest'
import { exportTrace } from './exportTrace.ts'
import { otel } from './otel.ts'
import { Collected, timeOf } from './testing/collect.ts'

const folder = path.join(import.meta.dirname, '../../../test/golden/recorded')
const golden = readdirSync(folder)
  .filter((name) => name.endsWith('.bundle.json'))
  .map((name): [string, RunFile] => [name, JSON.parse(readFileSync(path.join(folder, name), 'utf8'))])
const samples = await sampleRuns()
const files = await Promise.all(
  samples.map(async ({ name, id, journal }): Promise<[string, RunFile]> => [name, await exportRun(journal, id)]),
)

function exported(from: RunFile | readonly Event[]): Collected {
  const collected = new Collected()
  exportTrace(from, collected.tracer, { content: true, maxLength: 200 })
  return collected
}

const sum = (numbers: readonly unknown[]): number => numbers.reduce<number>((total, each) => total + Number(each), 0)

/** Checks the laws of every trace of a log. */
function check(log: readonly Event[], { spans, open }: Collected): void {
  expect(open).toBe(0)
  const of = (operation: string) => spans.filter(({ attributes }) => attributes['gen_ai.operation.name'] === operation)
  const events = <Type extends Event['type']>(type: Type) =>
    log.filter((event): event is Extract<Event, { type: Type }> => event.type === type)
  expect(of('chat').length).toBe(events('thought').length)
  expect(sum(of('invoke_agent').map(({ attributes }) => attributes['gen_ai.usage.input_tokens']))).toBe(
    fold(log).usage.inputTokens,
  )
  const traced = new Set(of('execute_tool').map(({ attributes }) => attributes['interleave.call']))
  for (const { call } of events('claimed')) expect(traced).toContain(call)
  const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]))
  for (const { parentSpanContext, startTime, endTime } of spans) {
    expect(timeOf(endTime)).toBeGreaterThanOrEqual(timeOf(startTime))
    const parent = parentSpanContext && byId.get(parentSpanContext.spanId)
    if (parentSpanContext) expect(parent).toBeDefined()
    if (parent) expect(timeOf(startTime)).toBeGreaterThanOrEqual(timeOf(parent.startTime))
  }
}

it.each([...golden, ...files])('traces any beginning of the log "%s"', (_, { events }) => {
  for (let length = 1; length <= events.length; length++)
    check(events.slice(0, length), exported(events.slice(0, length)))
})

it.each(files)('traces the file "%s" with the child runs it', (_, file) => {
  const { spans, open } = exported(file)
  const ids = new Set(spans.map(({ attributes }) => attributes['gen_ai.conversation.id']))

  expect(open).toBe(0)
  expect(ids.size).toBeGreaterThanOrEqual(1 + (file.below?.length ?? 0))
})

it.each(samples)('makes of the log "$name" what it made live', async ({ describe }) => {
  const live = new Collected()
  const run = describe(() => {}).start('Go', { observers: [otel(live.tracer)] })
  await wholeLife(run)

  check(run.log, live)
  expect(exported(run.log).tree.toSorted()).toEqual(live.tree.toSorted())
})
