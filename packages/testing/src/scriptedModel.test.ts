import { agent } from '@interleave/core'
import { expect, it } from 'vitest'
import { scriptedModel } from './index.ts'

it('lets a function that stands alone answer every call', async () => {
  const run = agent({ name: 'a', model: scriptedModel(({ prompt }) => `Heard ${prompt.length}.`) }).start('One')
  await run.settled

  await run.say('Two')

  expect(await run.settled).toMatchObject({ output: 'Heard 3.' })
})

it('says that the script is over, also where its last line is a function', async () => {
  const run = agent({ name: 'a', model: scriptedModel('One.', () => 'Two.') }).start('One')
  for (const words of ['Two', 'Three']) {
    await run.settled
    await run.say(words)
  }

  expect(await run.settled).toMatchObject({ type: 'failed', error: { message: expect.stringContaining('2 turns') } })
})
