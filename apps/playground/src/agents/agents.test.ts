import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { agentFrom } from './agentFrom.ts'
import { checkFile } from './checkFile.ts'
import { agents } from './index.ts'

it.each(agents.map((offer) => [offer.title, offer.file] as const))('%s: its file has no mistake', (title, file) => {
  expect(checkFile(file)).toEqual([])
  expect(agentFrom(file, { model: scriptedModel() }).name).toBe(title.toLowerCase())
})

it('tells a mistake with its position', () => {
  const file = agents[1]?.file.replace('calculate,', 'calculat,') ?? ''

  expect(checkFile(file)).toMatchObject([
    { path: 'agents.calculator.tools[0]', line: 8, message: expect.stringContaining('Did you mean "calculate"?') },
  ])
})

it('takes a file without an agent for a mistake', () => {
  expect(checkFile('interleave: 1\nagents: {}')).toMatchObject([{ path: 'agents' }])
})

it('asks the model that the page gives, and knows its prices', async () => {
  const model = scriptedModel('Four.')
  const priceOf = (modelId: string) => (modelId === model.modelId ? { input: 1, output: 1 } : undefined)
  const run = agentFrom(agents[1]?.file ?? '', { model, priceOf }).start('What is 2 + 2?')

  await run.settled

  expect(run.state.signal).toMatchObject({ type: 'answer', output: 'Four.' })
  expect(run.state.usage.unpricedTurns).toBe(0)
})
