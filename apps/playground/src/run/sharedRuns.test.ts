import { expect, it } from 'vitest'
import { agentFrom } from '../agents/agentFrom.ts'
import { agents } from '../agents/index.ts'
import { demoPlanner } from '../models/demoPlanner/demoPlanner.ts'
import { secret } from '../models/index.ts'
import { memoryStorage } from '../storage/memoryStorage.ts'
import type { News } from '../storage/News.ts'
import { createPlayground } from './createPlayground.ts'
import type { Playground } from './Playground.ts'
import { type Conversation, shownIn } from './PlaygroundState.ts'

const trip = agents.find(({ id }) => id === 'trip') ?? raise('There is no trip planner.')

function raise(message: string): never {
  throw new Error(message)
}

/** Two tabs of one browser. */
async function twoTabs() {
  const { journal, records, permissions } = memoryStorage()
  const listeners: ((news: News) => void)[] = []
  const kept: (() => void)[] = []
  let isLate = false
  const deliver = (tell: () => void): void => {
    if (isLate) kept.push(tell)
    else tell()
  }
  const open = (index: number): Playground => {
    const news = {
      listen: (listener: (news: News) => void) => void listeners.splice(index, 1, listener),
      post: (news: News) => deliver(() => listeners[1 - index]?.(news)),
    }
    return createPlayground({ open: async () => ({ journal, records, permissions, news, isFleeting: false }) })
  }
  const tabs = [open(0), open(1)] as const
  for (const tab of tabs) await tab.openStorage()
  /** Keeps what the tabs tell each other, until the returned function is called. */
  const late = (): (() => void) => {
    isLate = true
    return () => {
      isLate = false
      for (const tell of kept.splice(0)) tell()
    }
  }
  return { tabs, journal, records, late }
}

const shownOf = ({ store }: Playground): Conversation => shownIn(store.getState()) ?? raise('No run is shown.')

/** A run that asks which train to book, in the tab where it works and in one that follows. */
async function asking() {
  const { tabs, journal, records, late } = await twoTabs()
  const [one, other] = tabs
  const { id: offer, file } = trip
  // The locks of the other tests are those of this process, too.
  const runId = crypto.randomUUID()
  await records.put({ runId, offer, file, connection: { type: 'demo' } })
  const words = 'Find a train from Paris to Amsterdam and book it'
  await agentFrom(file, { model: demoPlanner({ delayMs: 0 }) }).start(words, { id: runId, journal }).settled
  await one.show(runId)
  const here = shownOf(one)
  await other.show(runId)
  const there = shownOf(other)
  await expect.poll(() => there.run.owner).toBe('elsewhere')
  return { one, other, here, there, late }
}

it('is one run in two tabs, and is answered in either', async () => {
  const { here, there } = await asking()
  const [ask] = there.run.state.asks
  if (ask?.kind !== 'choice') throw new Error('It asks something else.')

  await there.run.reply(ask, ask.options[0]?.value ?? '')

  for (const { log } of [here, there]) expect(log.events.map(({ type }) => type)).toContain('replied')
  expect(here.run.owner).toBe('here')
  expect(here.finder.found.getState()).toMatchObject({ isTakenOver: false })
  expect(there.finder.found.getState()).toBeUndefined()
})

it('continues in the tab that is left, and tells what it found', async () => {
  const { here, there } = await asking()

  here.run.close?.()

  await expect.poll(() => there.run.owner).toBe('here')
  await expect.poll(() => there.finder.found.getState()).toMatchObject({ isTakenOver: true })
  expect(there.finder.found.getState()?.events).toEqual(there.log.events)
})

/** Counts the kills of a run in one tab, in place of reloading the page. */
function killsOf({ store }: Playground, { run }: Conversation): () => number {
  let kills = 0
  const kill = (): void => void kills++
  store.setState(({ conversations }) => ({
    conversations: conversations.map((one) => (one.run === run ? { ...one, kill } : one)),
  }))
  return () => kills
}

it('is killed where it works, also by a tab that follows it', async () => {
  const { one, other, here, there } = await asking()
  const [killsHere, killsThere] = [killsOf(one, here), killsOf(other, there)]

  await other.kill(there.run.id)

  await expect.poll(killsHere).toBe(1)
  expect(killsThere()).toBe(0)
})

it('continues in the tab that has taken it over before it learns of the kill', async () => {
  const { one, other, here, there, late } = await asking()
  const [killsHere, killsThere] = [killsOf(one, here), killsOf(other, there)]

  const tell = late()
  await one.kill(here.run.id)
  here.run.close?.()
  await expect.poll(() => there.run.owner).toBe('here')
  tell()
  await expect.poll(() => other.store.getState().marks[there.run.id]?.kill).toBeDefined()

  expect([killsHere(), killsThere()]).toEqual([1, 0])
})

it('keeps the model of the tab where it works, and tells the others when that is changed there', async () => {
  const { one, other, here, there } = await asking()
  const large = { type: 'openai', modelId: 'large', route: 'direct', key: secret('sk-123') } as const

  await other.connect(large)
  const untouched = shownOf(other).connection
  await one.connect(large)

  expect(untouched).toEqual({ type: 'demo' })
  await expect.poll(() => shownOf(other).connection).toEqual(large)
  expect(there.runModel.model.modelId).toBe('large')
  expect(shownOf(one).run).toBe(here.run)
})

it('is gone from all tabs when it is deleted in one', async () => {
  const { other, here } = await asking()

  await other.forget([here.run.id])

  await expect(here.run.say('Are you there?')).rejects.toThrow('closed here')
})

it('makes a new run of one that works in another tab', async () => {
  const { other, here, there } = await asking()

  await other.fork(there, { at: 1, edit: { content: 'Find a train from Rome to Milan' } })
  const made = shownOf(other)
  await made.run.stop()

  expect(made.title).toBe('Find a train from Rome to Milan')
  expect(made.run.owner).toBe('here')
  expect(here.run.state.signal?.type).toBe('inputNeeded')
})

it('lists what starts and settles in another tab', async () => {
  const {
    tabs: [one, other],
  } = await twoTabs()
  await one.start(trip, 'What is open?')
  const { changes } = other.store.getState()

  await shownOf(one).run.stop()

  await expect.poll(() => other.store.getState().changes).toBeGreaterThan(changes)
  expect(changes).toBeGreaterThan(0)
})
