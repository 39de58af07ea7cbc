import { agent } from '@interleave/core'
import { expect, it } from 'vitest'
import { scriptedModel } from './index.ts'

it('lets a function that stands alone answer every call', async () => {
  const run = agent({ name: 'a', model: scriptedModel(({ prompt }) => `Heard ${prompt.length}.`) }).start('One')
  await run.settled

  await run.say('Two')

  expect(await run.settled).toMatchObject({ output: 'Heard 3.' })
})

it.each<[unknown, string]>([
  [{ content: 'Hi' }, 'scriptedModel() has no option `content`. Instead, use `text`.'],
  [['One.', 'Two.'], 'scriptedModel() takes its turns one by one'],
  [{ calls: [{ name: 'look', args: {} }] }, 'scriptedModel({ calls }) has no option `args`. Instead, use `input`.'],
  [{ calls: [{ input: {} }] }, 'scriptedModel({ calls }) needs a `name`'],
  [undefined, 'The turn of scriptedModel() must be a string'],
])('says what is wrong with a turn, also with that of a function: %j', async (turn, words) => {
  const run = agent({ name: 'a', model: scriptedModel(() => turn as string) }).start('One')

  expect(() => scriptedModel(turn as string)).toThrow(words)
  expect(await run.settled).toMatchObject({ type: 'failed', error: { message: expect.stringContaining(words) } })
})

it('says that the script is over, also where its last line is a function', async () => {
  const run = agent({ name: 'a', model: scriptedModel('One.', () => 'Two.') }).start('One')
  for (const words of ['Two', 'Three']) {
    await run.settled
    await run.say(words)
  }

  expect(await run.settled).toMatchObject({ type: 'failed', error: { message: expect.stringContaining('2 turns') } })
})

it('records each call as it was, and what is unchanged in it once', async () => {
  const part = (text: string) => ({ type: 'text' as const, text })
  const said = { role: 'user' as const, content: [part('One')] }
  const changing = { role: 'user' as const, content: [part('Two')] }
  const model = scriptedModel('One.', 'Two.')
  await model.doStream({ prompt: [said, changing] })
  changing.content[0] = part('Changed')

  await model.doStream({ prompt: [said, changing, said] })

  const [one, two] = model.calls.map(({ prompt }) => prompt)
  expect(one).toMatchObject([said, { content: [{ text: 'Two' }] }])
  expect(two).toEqual([said, changing, said])
  expect(two?.[0]).toBe(one?.[0])
  expect(two?.[0]).not.toBe(said)
})
