import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import type { AnyEvent } from '../history/index.ts'
import { agent, type RunState } from '../index.ts'
import { END, type Graph, graph, parallel, position, router, value, visitCounts } from './index.ts'

const idle = () => undefined
const rounds = value('rounds', 0)

const inner = graph({ name: 'flow', nodes: { deep: idle }, start: 'deep', edges: { deep: END } })
const flow = graph({
  name: 'flow',
  nodes: { open: inner, sides: parallel({ inner, node: idle }), join: (run) => rounds.set(run, rounds.get(run) + 1) },
  start: 'open',
  edges: {
    open: 'sides',
    sides: 'join',
    join: router(['open', END], (run) => (rounds.get(run) < 3 ? 'open' : END)),
  },
})

/** Counts after each event of a log, beside the position that the state has then. */
async function watched(backend: Graph, ...messages: string[]) {
  const seen: { counts: ReadonlyMap<string, number>; visits: number | undefined }[] = []
  const events: AnyEvent[] = []
  const onEvent = (event: AnyEvent, state: RunState) => {
    events.push(event)
    seen.push({ counts: visitCounts(events, backend), visits: position(state, backend)?.visits })
  }
  const run = agent({ name: 'a', model: scriptedModel(), backend }).start('Go', { observers: [onEvent] })
  await run.settled
  for (const message of messages) {
    await run.say(message)
    await run.settled
  }
  return seen
}

it('counts the visits of each node, over loops', async () => {
  const last = (await watched(flow)).at(-1)

  expect(Object.fromEntries(last?.counts ?? [])).toEqual({ open: 3, sides: 3, join: 3 })
})

it('counts as many as the position says, after each event', async () => {
  const seen = await watched(flow, 'Again', 'And again')

  const begun = seen.filter(({ visits }) => visits !== undefined)
  expect(begun.length).toBeGreaterThan(30)
  expect(begun.map(({ counts }) => [...counts.values()].reduce((sum, count) => sum + count, 0))).toEqual(
    begun.map(({ visits }) => visits),
  )
})

it('has nothing of a graph that has not begun', () => {
  expect(visitCounts([], flow).size).toBe(0)
})
