import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Agent, agent, type Event, tool } from '../index.ts'
import { requestAt } from './pastRun.ts'
import { recorder } from './recorder.ts'

const look = tool({ inputSchema: z.object({}), execute: () => 'Rain.' })
const calling = { calls: [{ name: 'look', input: {} }] }

async function eventsOf(described: Agent<string>): Promise<readonly Event[]> {
  const observer = recorder()
  await described.start('Go', { observers: [observer] }).settled
  return (await observer.export()).events
}

it('asks no model and runs no tool', async () => {
  let looked = 0
  const counting = tool({ inputSchema: z.object({}), execute: () => ++looked })
  const model = scriptedModel(calling, 'Done.')
  const described = agent({ name: 'a', model, tools: { look: counting } })
  const events = await eventsOf(described)

  const requests = await Promise.all(events.map(({ seq }) => requestAt(described, events, seq)))

  expect(requests.filter(Boolean)).toEqual(model.calls)
  expect(looked).toBe(1)
})

it('omits what was said while the model was writing', async () => {
  const observer = recorder()
  const model = scriptedModel(async () => {
    await run.say('Faster')
    return 'Slowly.'
  }, 'Fast.')
  const described = agent({ name: 'a', model })
  const run = described.start('Go', { observers: [observer] })
  await run.settled
  const { events } = await observer.export()
  const turns = events.filter(({ type }) => type === 'thought')

  const requests = await Promise.all(turns.map(({ seq }) => requestAt(described, events, seq)))

  expect(requests).toEqual(model.calls)
  expect(JSON.stringify(requests[0])).not.toContain('Faster')
})

it('is undefined for what no model wrote, and where the agent would ask no more', async () => {
  const events = await eventsOf(agent({ name: 'a', model: scriptedModel(calling, 'Done.'), tools: { look } }))
  const { seq = -1 } = events.find(({ type }) => type === 'thought') ?? {}
  const changed = agent({ name: 'a', model: scriptedModel(), backend: () => ({ type: 'stopped', reason: 'Closed.' }) })

  expect(await requestAt(changed, events, 0)).toBeUndefined()
  expect(await requestAt(changed, events, 99)).toBeUndefined()
  expect(await requestAt(changed, events, seq)).toBeUndefined()
})

it('rejects for an agent that cannot take up the run', async () => {
  const events = await eventsOf(agent({ name: 'a', model: scriptedModel('Done.') }))
  const { seq = -1 } = events.find(({ type }) => type === 'thought') ?? {}

  await expect(requestAt(agent({ name: 'b', model: scriptedModel() }), events, seq)).rejects.toMatchObject({
    code: 'agent_mismatch',
  })
})
