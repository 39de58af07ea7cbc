import { type Agent, agent, approval, choice, tool } from '@interleave/core'
import { END, graph } from '@interleave/core/graph'
import { exportRun, memoryJournal } from '@interleave/core/journal'
import { toolSource } from '@interleave/core/tools'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from '../scriptedModel.ts'
import { replayRun, testRun } from './replayRun.ts'

/** A source of tools that a server has, which may be down. */
function shop() {
  const server = { isUp: true, reads: 0, missing: [] as string[], extra: false }
  const pay = tool({
    description: 'Pays.',
    inputSchema: z.object({ cents: z.number() }),
    approve: approval(),
    execute: async ({ cents }, { ask }) =>
      `${cents} ${await ask(choice({ prompt: 'How?', options: ['card', 'cash'] }))}`,
  })
  const look = tool({ description: 'Looks.', inputSchema: z.object({}), execute: () => 'Nothing.' })
  const source = toolSource({
    current() {
      server.reads++
      if (!server.isUp) throw new Error('connect ECONNREFUSED')
      return { pay, ...(server.extra && { look }) }
    },
    missing: () => server.missing,
  })
  return { server, source }
}

const add = tool({ inputSchema: z.object({}), execute: () => 'Added.' })
const buyerWith = (source: ReturnType<typeof shop>['source'], prices = add): Agent =>
  agent({
    name: 'buyer',
    model: scriptedModel(
      { calls: [{ name: 'pay', input: { cents: 5 } }] },
      { calls: [{ name: 'add', input: {} }] },
      'Paid.',
    ),
    tools: [source, { add: prices }],
  })

async function recorded(described: Agent, { server }: ReturnType<typeof shop>) {
  const run = described.start('Go', { journal: memoryJournal() })
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', { approved: true })
  server.extra = true
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', 'card')
  await run.settled
  return JSON.parse(JSON.stringify(await exportRun(run)))
}

it('replays a run whose tools are of a server that is down, and reads none', async () => {
  const own = shop()
  const file = await recorded(buyerWith(own.source), own)
  const down = shop()
  down.server.isUp = false

  const withAgent = await testRun(file, { agent: buyerWith(down.source) })
  const alone = await testRun(file)

  expect(file.events.filter(({ key }: { key?: string }) => key === 'tools/buyer')).toHaveLength(2)
  expect([withAgent, alone]).toMatchObject([{ compared: file.events.length }, { compared: file.events.length }])
  expect(down.server.reads).toBe(0)
})

it('still finds what has changed in the agent itself', async () => {
  const own = shop()
  const file = await recorded(buyerWith(own.source), own)
  const changed = tool({ inputSchema: z.object({}), approve: approval(), execute: () => 'Added.' })

  const { difference } = await replayRun(file, { agent: buyerWith(shop().source, changed) })
  expect(difference?.message).toContain('add')
})

it('replays a run of a graph whose agent has a server that is down, next to one that was missing', async () => {
  const flow = (source: ReturnType<typeof shop>['source']): Agent =>
    agent({
      name: 'flow',
      model: scriptedModel(),
      backend: graph({ name: 'flow', nodes: { buyer: buyerWith(source) }, start: 'buyer', edges: { buyer: END } }),
    })
  const own = shop()
  own.server.missing = ['docs.example.com']
  const file = await recorded(flow(own.source), own)
  const down = shop()
  down.server.isUp = false

  await testRun(file, { agent: flow(down.source) })
  expect(file.events.find(({ key }: { key?: string }) => key === 'missing/buyer')?.value).toEqual(['docs.example.com'])
  expect(down.server.reads).toBe(0)
})
