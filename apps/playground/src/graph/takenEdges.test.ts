import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Graph } from '@interleave/core/graph'
import { recorder } from '@interleave/core/observe'
import { manualHost } from '@interleave/testing'
import { expect, it } from 'vitest'
import { agentFrom } from '../agents/agentFrom.ts'
import { demoPlanner } from '../models/demoPlanner/demoPlanner.ts'
import { takenEdges } from './takenEdges.ts'

const file = readFileSync(path.join(import.meta.dirname, '../agents/fareWatch.yaml'), 'utf8')

it('knows the edges that a run took, also to a node with branches and from it', async () => {
  const host = manualHost()
  const agent = agentFrom(file, { model: demoPlanner({ delayMs: 0 }) })
  const log = recorder()
  const run = agent.start('Watch fares from Paris to Amsterdam', { host, observers: [log] })
  const rest = async (): Promise<void> => {
    while (!run.state.signal) {
      await new Promise((resolve) => setTimeout(resolve))
      await host.advance(1_000)
    }
  }
  const taken = (): string[] => [...takenEdges(log.export().events, agent.backend as Graph)].toSorted()

  await rest()
  const round = ['compare wait', 'fares compare', 'find look', 'look fares']
  expect(taken()).toEqual(['compare ask', ...round, 'wait look'])
  await run.reply(run.state.asks[0]?.id ?? '', 'book')
  await rest()

  expect(taken()).toEqual(['ask book', 'book __end__', 'compare ask', ...round, 'wait look'])
})
