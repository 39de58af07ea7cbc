import { agent, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import {
  AggregationTemporality,
  type DataPoint,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { otel } from './otel.ts'
import { Collected } from './testing/collect.ts'

type Point = Pick<DataPoint<unknown>, 'attributes' | 'value'>

it('records the histograms of the conventions, and no names that a model made up', async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })
  const provider = new MeterProvider({ readers: [reader] })
  const weather = tool({ inputSchema: z.object({}), effect: 'readOnly', execute: () => 'sunny' })
  const broken = tool({ inputSchema: z.object({}), execute: () => Promise.reject(new Error('No.')) })
  const calls = ['weather', 'broken', 'made-up'].map((name) => ({ name, input: {} }))
  const guide = agent({ name: 'guide', model: scriptedModel({ calls }, 'Done.'), tools: { weather, broken } })
  const telemetry = otel(new Collected().tracer, { meter: provider.getMeter('test') })
  await guide.start('Hi', { observers: [telemetry] }).settled
  await reader.forceFlush()
  const metrics = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
  await provider.shutdown()

  expect(metrics.map(({ descriptor: { name, unit } }) => `${name} ${unit}`).toSorted()).toEqual([
    'gen_ai.client.operation.duration s',
    'gen_ai.client.operation.time_to_first_chunk s',
    'gen_ai.client.token.usage {token}',
    'gen_ai.execute_tool.duration s',
    'gen_ai.invoke_agent.duration s',
  ])
  const points = (name: string): Point[] =>
    metrics.filter(({ descriptor }) => descriptor.name === name).flatMap(({ dataPoints }): Point[] => [...dataPoints])
  expect(points('gen_ai.client.token.usage')).toMatchObject([
    {
      attributes: { 'gen_ai.token.type': 'input' },
      value: { sum: 20, count: 2, buckets: { boundaries: expect.arrayContaining([1, 67_108_864]) } },
    },
    { attributes: { 'gen_ai.token.type': 'output' }, value: { sum: 10, count: 2 } },
  ])
  expect(points('gen_ai.execute_tool.duration').map(({ attributes }) => attributes)).toEqual([
    { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'weather', 'gen_ai.tool.type': 'function' },
    {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'broken',
      'gen_ai.tool.type': 'function',
      'error.type': 'tool_failed',
    },
  ])
  expect(points('gen_ai.client.operation.duration')).toMatchObject([
    { attributes: { 'gen_ai.provider.name': 'scripted', 'gen_ai.request.model': 'scripted' }, value: { count: 2 } },
  ])
})
