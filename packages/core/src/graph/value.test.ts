import { laws } from '@interleave/test-kit/laws'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { agent, type Step } from '../index.ts'
import { END, graph, router, value } from './index.ts'

const start = (backend: Step) =>
  agent({ name: 'a', model: scriptedModel(), backend }).start('Go', { observers: [laws()] })
const stopped: Step = () => ({ type: 'stopped', reason: 'x' })

it('is what it begins with until it is set, and what was set then, in any step', async () => {
  const draft = value<{ text: string } | null>('draft', null)
  const seen: unknown[] = []
  const run = start((context) => {
    seen.push(draft.get(context))
    draft.set(context, { text: 'x' })
    seen.push(draft.get(context))
    return { type: 'stopped', reason: 'x' }
  })
  await run.settled

  expect(seen).toEqual([null, { text: 'x' }])
  expect(draft.get(run)).toEqual({ text: 'x' })
  expect(draft.get(JSON.parse(JSON.stringify({ state: run.state })))).toEqual({ text: 'x' })
})

it('gives each reader a value of its own, which the state and other runs do not have', async () => {
  const list = value<string[]>('list', [])
  const add: Step = (context) => {
    const items = list.get(context)
    items.push('unset')
    list.set(context, ['set'])
    list.get(context).push('unset')
    return { type: 'stopped', reason: 'x' }
  }
  const [run, other] = [start(add), start(stopped)]
  await Promise.all([run.settled, other.settled])

  expect([list.get(run), list.get(other)]).toEqual([['set'], []])
})

it('begins again with each request', async () => {
  const count = value('count', 0)
  const run = start((context) => count.set(context, count.get(context) + 1) ?? { type: 'stopped', reason: 'x' })
  await run.settled

  run.resume()
  await run.settled
  expect(count.get(run)).toBe(2)

  await run.say('Again')
  await run.settled
  expect(count.get(run)).toBe(1)
})

it('counts a visit once that is made again', async () => {
  const count = value('count', 0)
  let broken = true
  const found: number[] = []
  const add: Step = (run) => {
    found.push(count.get(run))
    count.set(run, count.get(run) + 1)
    count.set(run, count.get(run) + 1)
    if (count.get(run) === 4 && broken) throw new Error('Broken.')
  }
  const loop = graph({
    name: 'loop',
    nodes: { add, stopped },
    start: 'add',
    edges: { add: router(['add', 'stopped'], (run) => (count.get(run) < 6 ? 'add' : 'stopped')), stopped: END },
  })
  const run = start(loop)
  expect(await run.settled).toMatchObject({ type: 'failed' })
  expect(count.get(run)).toBe(4)

  broken = false
  run.resume()

  expect(await run.settled).toMatchObject({ type: 'stopped' })
  expect(found).toEqual([0, 2, 2, 4])
  expect(count.get(run)).toBe(6)
})

it('copies what it is given, and refuses what is no name', async () => {
  const list = value<string[]>('list', [])
  const mine = ['a']
  const run = start((context) => list.set(context, mine) ?? stopped(context))
  await run.settled

  mine.push('b')

  expect(list.get(run)).toEqual(['a'])
  expect(() => value('', 0)).toThrowError(/needs a name/)
})

it.each(['__proto__', 'constructor', 'toString', 'a/b'])('is safe with the name %s', async (name) => {
  const odd = value(name, 0)
  const run = start((context) => odd.set(context, odd.get(context) + 1) ?? stopped(context))
  await run.settled

  expect(odd.get(run)).toBe(1)
})
