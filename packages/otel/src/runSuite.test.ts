import { inThePage } from '@interleave/test-kit/inThePage'
import { runSuite } from '@interleave/test-kit/runSuite'
import { afterAll, describe, expect, it } from 'vitest'
import { otel } from './otel.ts'
import { Collected } from './testing/collect.ts'

const collected = new Collected()
const telemetry = otel(collected.tracer, { content: true })

afterAll(() => {
  const names = new Set(collected.spans.map(({ attributes }) => attributes['gen_ai.operation.name']))
  expect(names).toEqual(new Set(['invoke_agent', 'chat', 'execute_tool']))
})

describe('a traced agent does what it does untraced', () => {
  for (const { name, run } of runSuite(() => inThePage((agent) => telemetry.trace(agent)))) it(name, run)
})
