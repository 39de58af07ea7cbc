import { expect, test } from 'vitest'
import { graphOf } from './graphOf.ts'

const playground = 'apps/playground/src'
const places = {
  'the page': `${playground}/main.tsx`,
  'a worker': `${playground}/workers/run.worker.ts`,
  'the server of the page': `${playground}/server/createApi.ts`,
  'the edge': 'apps/edge/src/worker.ts',
}

test.each(Object.entries(places))('%s has the agents of the playground, byte for byte', async (_, entry) => {
  const [agents, place] = await Promise.all([graphOf(`${playground}/run/agentForRun.ts`), graphOf(entry)])

  expect(
    [...agents.keys()].filter((file) => file.includes('/agents/') || file.includes('/tools/')).length,
  ).toBeGreaterThan(10)
  expect(Object.fromEntries([...agents.keys()].map((file) => [file, place.get(file)]))).toEqual(
    Object.fromEntries(agents),
  )
})

test('all of them are offered the same files of agents', async () => {
  const graphs = await Promise.all(
    ['page', 'server of the page', 'edge'].map((name) => graphOf(places[`the ${name}` as keyof typeof places])),
  )

  const files = graphs.map((graph) => Object.fromEntries([...graph].filter(([file]) => file.endsWith('.yaml'))))
  expect(Object.keys(files[0] ?? {})).toHaveLength(6)
  expect(files[1]).toEqual(files[0])
  expect(files[2]).toEqual(files[0])
})
