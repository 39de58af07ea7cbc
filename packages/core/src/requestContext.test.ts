import { createHandler, type Handler, type HandlerOptions } from '@interleave/server'
import { call, newRun, testSecret } from '@interleave/test-kit/handlerCalls'
import { inAnotherProcess } from '@interleave/test-kit/inAnotherProcess'
import { manualModel } from '@interleave/test-kit/manualModel'
import { scriptedModel } from '@interleave/testing'
import { tool as sdkTool } from 'ai'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent } from './agent.ts'
import { agentTool } from './agents/agentTool.ts'
import { memoryJournal } from './journal/memoryJournal.ts'
import { tool } from './tool.ts'

const inputSchema = z.object({})
const tenant = z.object({ tenant: z.string() })

/** An agent whose tools, policy and instructions note the context that they get. */
function noting() {
  const seen: unknown[] = []
  const look = tool({
    inputSchema,
    contextSchema: tenant,
    approve(_, __, { context }) {
      seen.push(['policy', context.tenant])
      return false
    },
    execute: (_, { context }) => void seen.push(['tool', context]),
  })
  const find = sdkTool({
    inputSchema,
    contextSchema: z.object({ role: z.string() }),
    execute: (_, { context }) => void seen.push(['sdk', context.role]),
  })
  const calls = [
    { name: 'look', input: {} },
    { name: 'find', input: {} },
  ]
  const guide = agent({
    name: 'guide',
    model: scriptedModel({ calls }, 'Done.', { calls }, 'Again.'),
    tools: { look, find },
    instructions(_, { context }) {
      seen.push(['instructions', context])
      return 'Help.'
    },
  })
  return { guide, seen }
}

const context = { tenant: 'acme-secret', role: 'admin', db: () => 'a function' }
const authorize = () => ({ user: 'ada', context })

const start = async (handler: Handler): Promise<string> => {
  const { runId } = await (await call(handler, newRun(), { body: { agent: 'guide', input: 'Go' } })).json()
  return String(runId)
}
const textOf = async (handler: Handler, path: string): Promise<string> => (await call(handler, path)).text()

it('gives the context of a request to tools, instructions and policies, and to no one else', async () => {
  const { guide, seen } = noting()
  const journal = memoryJournal()
  const handler = createHandler({ agents: [guide], journal, secret: testSecret, authorize })

  const id = await start(handler)
  const stream = await textOf(handler, `runs/${id}/events?follow=false`)
  const file = await textOf(handler, `runs/${id}/export`)

  expect(seen).toHaveLength(5)
  expect(seen).toEqual(
    expect.arrayContaining([
      ['instructions', context],
      ['policy', 'acme-secret'],
      ['tool', { tenant: 'acme-secret' }],
      ['sdk', 'admin'],
    ]),
  )
  expect(stream).toContain('"Done."')
  for (const text of [stream, file, JSON.stringify(await journal.read(`ada/${id}`))])
    expect(text).not.toContain('acme-secret')
})

it('gives a run the context of the request that continued it last', async () => {
  const { guide, seen } = noting()
  let role = 'admin'
  const handler = createHandler({
    ...{ agents: [guide], journal: memoryJournal(), secret: testSecret },
    authorize: () => ({ user: 'ada', context: { ...context, role } }),
  })
  const id = await start(handler)
  await textOf(handler, `runs/${id}/events?follow=false`)
  role = 'guest'

  await call(handler, `runs/${id}/say`, { body: { content: 'Again', key: 'k' } })
  await textOf(handler, `runs/${id}/events?follow=false`)

  expect(seen.filter((each) => Array.isArray(each) && each[0] === 'sdk')).toEqual([
    ['sdk', 'admin'],
    ['sdk', 'guest'],
  ])
})

/** Leaves a run in the middle of its first turn, as a process does that dies. */
async function interrupted(): Promise<{ journal: HandlerOptions['journal']; id: string }> {
  const journal = memoryJournal()
  const model = manualModel()
  const guide = agent({ name: 'guide', model })
  const id = await start(createHandler({ agents: [guide], journal, secret: testSecret, authorize }))
  await model.called(1)
  return { journal: inAnotherProcess(journal), id }
}

it('asks for the context of a run that continues after a restart, if the request has none', async () => {
  const { journal, id } = await interrupted()
  const { guide, seen } = noting()
  const asked: unknown[] = []
  const handler = createHandler({
    ...{ agents: [guide], journal, secret: testSecret, authorize: () => 'ada' },
    async contextOf(...given) {
      asked.push(given)
      return context
    },
  })

  const stream = await textOf(handler, `runs/${id}/events?follow=false`)

  expect(stream).toContain('"Done."')
  expect(asked).toEqual([['ada', id]])
  expect(seen).toContainEqual(['sdk', 'admin'])
})

it('tells the developer which tool has no context, and does not call it', async () => {
  const { journal, id } = await interrupted()
  const { guide, seen } = noting()
  const lines: string[] = []
  const log = (line: string) => lines.push(line)
  const handler = createHandler({ agents: [guide], journal, secret: testSecret, authorize: () => 'ada', log })

  await textOf(handler, `runs/${id}/events?follow=false`)

  expect(seen.filter((each) => Array.isArray(each) && each[0] !== 'instructions')).toEqual([])
  expect(lines[0]).toMatch(/the tool "(look|find)" failed .* The run has no context\. .*`contextOf` of the server/)
})

it('shares the context with child runs', async () => {
  const { guide: child, seen } = noting()
  const model = scriptedModel({ calls: [{ name: 'ask', input: { task: 'Go' } }] }, 'Done.')
  const parent = agent({ name: 'guide', model, tools: { ask: agentTool(child, { description: 'Asks.' }) } })

  await parent.start('Go', { context }).settled

  expect(seen).toContainEqual(['tool', { tenant: 'acme-secret' }])
})
