import { pageAgent } from '@interleave/connect/worker'
import type { Agent, AgentHandle, ResumeOptions } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { runSuiteAgents } from '@interleave/test-kit/run/suiteAgents'
import type { OpenOptions, RunPlace } from '@interleave/test-kit/runPlace'
import { runSuite } from '@interleave/test-kit/runSuite'
import { afterAll, describe, expect, it } from 'vitest'
import { otel } from './otel.ts'
import { Collected } from './testing/collect.ts'

const collected = new Collected()
const telemetry = otel(collected.tracer, { content: true })

const keptIn = (agent: Agent, options: ResumeOptions): AgentHandle => ({
  name: agent.name,
  start: (input, more) => agent.start(input, { ...options, ...more }),
  resume: (id, more) => agent.resume(id, { ...options, ...more }),
})

/** A page whose agents are traced. */
function inThePage(): RunPlace {
  const journal = memoryJournal()
  return {
    open(name, options: OpenOptions = {}) {
      const agent = runSuiteAgents().find((each) => each.name === name) as Agent
      return pageAgent(keptIn(telemetry.trace(agent), { journal }), options as never)
    },
    journal,
    differences: ['takesOver'],
  }
}

afterAll(() => {
  const names = new Set(collected.spans.map(({ attributes }) => attributes['gen_ai.operation.name']))
  expect(names).toEqual(new Set(['invoke_agent', 'chat', 'execute_tool']))
})

describe('a traced agent does what it does untraced', () => {
  for (const { name, run } of runSuite(inThePage)) it(name, run)
})
