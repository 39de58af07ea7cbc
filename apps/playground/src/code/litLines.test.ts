import { agent, approval, choice, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agents } from '../agents/index.ts'
import { readAgent, toolsOf } from '../editor/agentForm.ts'
import { type Activity, activitiesOf, litLines } from './litLines.ts'
import { createProject, type Project } from './project.ts'

function projectOf(id: string): Project {
  const found = readAgent(agents.find((offer) => offer.id === id)?.file ?? '')
  if (!found) throw new Error(`There is no agent "${id}".`)
  return createProject({ ...found, ui: 'react', host: 'page', origin: 'http://localhost', prompt: 'Hi', events: [] })
}

/** The file and the text of the line that an activity lights. */
function lit(id: string, ...activities: readonly Activity[]) {
  const project = projectOf(id)
  return litLines(project, activities).map(
    ({ path, line }) => `${path}: ${project.files.get(path)?.split('\n')[line]?.trim()}`,
  )
}

it('lights the part of a tool that works', () => {
  expect(lit('trip', { type: 'model' })).toEqual(['src/tripPlanner.ts: model,'])
  expect(lit('trip', { type: 'execute', name: 'book' })).toEqual([
    expect.stringMatching(/^src\/tools\/book\.ts: (?:async )?execute\b/),
  ])
  expect(lit('trip', { type: 'approve', name: 'book' })).toEqual([
    expect.stringMatching(/^src\/tools\/book\.ts: approve: /),
  ])
  expect(lit('trip', { type: 'ask', name: 'askUser' })).toEqual(['src/tripPlanner.ts: askUser: askUser(),'])
  expect(lit('data', { type: 'ask', name: 'topRows' })).toEqual(['src/tables/desk.ts: ask('])
  expect(lit('shop', { type: 'execute', name: 'buy' })).toEqual([expect.stringContaining('mcpTools(shop)')])
})

it('lights the node of a graph, and the question of its step', () => {
  expect(lit('fares', { type: 'node', name: 'look' })).toEqual(['src/fareWatch.ts: look: countLook,'])
  expect(lit('fares', { type: 'ask' })).toEqual([expect.stringMatching(/^src\/fares\/steps\.ts: .*run\.ask\($/)])
})

it('lights a line for each tool that an agent of the page has', () => {
  for (const { id, file } of agents)
    for (const name of toolsOf(readAgent(file)?.config ?? {}))
      for (const type of ['execute', 'ask', 'approve'] as const)
        expect(lit(id, { type, name }), `${id} ${type} ${name}`).toHaveLength(1)
})

it('says what a run does', async () => {
  const seen: string[] = []
  const shop = tool({
    inputSchema: z.object({}),
    approve: approval(),
    async execute(_, { ask }) {
      seen.push(words())
      return ask(choice({ prompt: 'Which?', options: ['a', 'b'] }))
    },
  })
  const model = scriptedModel(async ({ prompt }) => {
    await null // until `run` is there
    seen.push(words())
    return prompt.some(({ role }) => role === 'tool') ? 'Done.' : { calls: [{ name: 'shop', input: {} }] }
  })
  const run = agent({ name: 'a', model, tools: { shop } }).start('Hi')
  const words = (): string =>
    activitiesOf(run.state, undefined)
      .map(({ type, name = '' }) => `${type} ${name}`)
      .join()

  await run.settled
  seen.push(words())
  await run.reply(run.state.asks[0]?.id ?? '', { approved: true })
  await run.settled
  seen.push(words())
  await run.reply(run.state.asks[0]?.id ?? '', 'a')
  await run.settled

  expect([...seen, words()]).toEqual(['model ', 'approve shop', 'execute shop', 'ask shop', 'model ', ''])
})
