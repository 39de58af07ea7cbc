import { agent } from '@interleave/core'
import { exportRun } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { switchableModel } from './runModel.ts'

it('changes the model at the next turn: the one that is under way keeps its name', async () => {
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let isAsked = (): void => {}
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve
  })
  const slow = scriptedModel(async () => {
    isAsked()
    await held
    return 'First.'
  })
  const { model, use } = switchableModel({ ...slow, modelId: 'slow' })
  const run = agent({ name: 'guide', model }).start('Hi')

  await asked
  use({ ...scriptedModel('Second.'), modelId: 'other' }, { isUnderWay: true })
  release()
  await run.settled
  await run.say('More')
  await run.settled

  const { events } = await exportRun(run)
  expect(events.flatMap((event) => (event.type === 'thought' ? [event.model.modelId] : []))).toEqual(['slow', 'other'])
})

it('has the name of the new model at once between turns', () => {
  const { model, use } = switchableModel({ ...scriptedModel('One.'), modelId: 'one' })

  use({ ...scriptedModel('Two.'), modelId: 'two' })

  expect(model.modelId).toBe('two')
})
