import { remoteAgent } from '@interleave/connect/http'
import type { Agent } from '@interleave/core'
import { eventually } from '@interleave/test-kit/eventually'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundleWorker } from './bundleWorker.ts'
import { startWorkerd, type Workerd } from './startWorkerd.ts'

interface Span {
  readonly name: string
  readonly status: number
  readonly id: string
  readonly parent?: string
  readonly links: number
  readonly signal?: string
  readonly run?: string
}

let workerd: Workerd

beforeAll(async () => {
  workerd = await startWorkerd({
    code: await bundleWorker('otelWorker.ts'),
    objects: { RUNS: 'RunObject', USERS: 'UserObject' },
    texts: {},
  })
})
afterAll(() => workerd?.end())

it('traces a run in a Durable Object: a trace up to the question, and one with a link after the reply', async () => {
  const run = remoteAgent<Agent<string>>({ url: workerd.url, name: 'waiter' }).start('A table for two')
  const signal = await run.settled
  if (signal.type !== 'inputNeeded') throw new Error(`It does not ask: ${JSON.stringify(signal)}`)
  for (const ask of signal.asks) await run.reply(ask, '20:30')
  expect(await run.settled).toMatchObject({ type: 'answer', output: 'See you.' })

  const spans = async (): Promise<Span[]> => (await fetch(`${workerd.url}/spans`)).json()
  await eventually(async () => expect((await spans()).filter(({ parent }) => !parent)).toHaveLength(2))
  const all = await spans()
  const roots = all.filter(({ parent }) => !parent)
  expect(roots).toMatchObject([
    { name: 'invoke_agent waiter', signal: 'inputNeeded', run: run.id, links: 0 },
    { name: 'invoke_agent waiter', signal: 'answer', run: run.id, links: 1 },
  ])
  const below = (root: Span | undefined) => all.filter(({ parent }) => parent === root?.id).map(({ name }) => name)
  expect(roots.map(below)).toEqual([
    ['chat scripted', 'execute_tool book'],
    ['execute_tool book', 'chat scripted'],
  ])
  expect(all.filter(({ status }) => status === 2)).toEqual([])
})
