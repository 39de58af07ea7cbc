import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { END, graph } from './graph/index.ts'
import { agent, finalAnswer, type Step } from './index.ts'
import { postprocess, remember, retryCompacted, searchMemory } from './steps/index.ts'

function poemOf(...lines: readonly string[]) {
  const write = agent({ name: 'poet', model: scriptedModel(...lines) })
  return graph({ name: 'poem', nodes: { write }, start: 'write', edges: { write: END } })
}

it.each<[string, (step: Step) => Step]>([
  ['remember', (step) => remember(step, { memory: searchMemory(), namespace: 'ada' })],
  ['retryCompacted', retryCompacted],
  ['postprocess', (step) => postprocess<string>(step, (answer) => answer)],
])('is passed on by %s', async (_, around) => {
  const poem = around(poemOf('Roses.'))

  const run = agent({ name: 'alone', backend: Object.assign(poem, { ownModel: true }) }).start('Write')

  expect(around(poemOf())).toHaveProperty('ownModel', true)
  expect(around(finalAnswer()).tools?.({ output: undefined })).toMatchObject([{ name: 'final_answer' }])
  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Roses.' })
})
