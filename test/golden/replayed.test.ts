import { replayRun } from '@interleave/testing'
import { expect, it } from 'vitest'
import { cases } from './cases/index.ts'
import { goldenBundles } from './goldenLogs.ts'

const agents = new Map(cases.map(({ name, agent }) => [name, agent]))

const external = 'delegated-to-an-external-agent'
const replayable = goldenBundles.filter(([name]) => name !== external)

it.each(replayable)('replays "%s" with its agent to the same trace', async (name, file) => {
  const agent = agents.get(name)
  const { difference, compared } = await replayRun(file, { ...(agent && { agent }) })

  expect(difference?.message).toBeUndefined()
  expect(compared).toBeGreaterThan(2)
})

it('says why a run of an external agent cannot be replayed', async () => {
  const file = goldenBundles.find(([name]) => name === external)?.[1]

  await expect(replayRun(file)).rejects.toThrow(
    'This run cannot be replayed: an external agent worked on it, and its log is not in the file.',
  )
})
