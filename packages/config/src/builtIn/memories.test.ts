import { agent, reasonAct } from '@interleave/core'
import { remember, searchMemory } from '@interleave/core/steps'
import { expect, it } from 'vitest'
import { bothWays } from '../testing/bothWays.ts'

const functions = {
  shout: (answer: unknown) => String(answer).toUpperCase(),
}

it('remembers', async () => {
  const memory = () => searchMemory({ items: [{ id: '1', namespace: 'ada', text: 'Go to Graz.', at: 0 }] })
  const { declared, coded } = await bothWays({
    text: `
interleave: 1
agents:
  a:
    model: fast
    backend: { remember: { backend: reasonAct, memory: notes, namespace: ada, limit: 1 } }
  b:
    model: fast
    backend: { remember: { backend: reasonAct, memory: { searchMemory: { maxItems: 9 } }, namespace: { function: shout } } }
`,
    byHand: (model) =>
      agent({ name: 'a', model, backend: remember(reasonAct(), { memory: memory(), namespace: 'ada', limit: 1 }) }),
    functions,
    memories: { notes: memory() },
    turns: ['Done.'],
  })

  expect(declared).toEqual(coded)
  expect(declared.trace).toContain('Graz')
})
