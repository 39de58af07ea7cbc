import { agent } from '@interleave/core'
import { deferred, initialState } from '@interleave/core/internal'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { otel } from './otel.ts'
import { Collected } from './testing/collect.ts'

it('keeps the trace of a run that works, however many others begin and rest meanwhile', async () => {
  const collected = new Collected()
  const telemetry = otel(collected.tracer)
  const answer = deferred<string>()
  const model = scriptedModel(() => answer.promise)
  const run = agent({ name: 'slow', model }).start('Go', { observers: [telemetry] })
  await new Promise((resolve) => setTimeout(resolve, 10))

  for (let n = 0; n < 10_100; n++) telemetry({ type: 'dropped', call: '1/tool/0' }, { ...initialState, runId: `${n}` })
  answer.resolve('Done.')
  await run.settled

  const slow = collected.spans.filter(({ name }) => name === 'invoke_agent slow')
  expect(slow.map(({ attributes }) => attributes['interleave.signal'])).toEqual(['answer'])
})
