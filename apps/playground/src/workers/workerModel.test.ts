import { workerAgent, workerHost } from '@interleave/connect/worker'
import { agent } from '@interleave/core'
import { exportRun } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import type { StoredConnection } from '../storage/storedConnection.ts'
import { workerModel } from './workerModel.ts'
import { modelInPage } from './workerName.ts'

it('thinks by rules in the worker, and with any other model in the page, as was chosen last', async () => {
  let chosen: StoredConnection = { type: 'openai', modelId: 'large', route: 'direct' }
  const { port1, port2 } = new MessageChannel()
  workerHost([agent({ name: 'guide', model: workerModel(async () => chosen) })]).connect(port1)
  const models = { [modelInPage]: scriptedModel('From the page.') }
  const run = workerAgent(port2, 'guide', { models }).start('Hello')

  await run.settled
  const first = run.state.signal
  chosen = { type: 'demo' }
  await run.say('Hello')
  await run.settled

  expect(first).toMatchObject({ type: 'answer', output: 'From the page.' })
  expect(run.state.signal).toMatchObject({ type: 'answer', output: expect.not.stringContaining('page.') })
  const { events } = await exportRun(run)
  expect(events.flatMap((event) => (event.type === 'thought' ? [event.model] : []))).toEqual([
    { provider: 'openai', modelId: 'large' },
    { provider: 'demo', modelId: 'rule-based' },
  ])
  port2.close()
})
