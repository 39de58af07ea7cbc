import { agent, choice } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createRunStore } from './RunStore.ts'
import { askingAgent, manualFrames } from './testing/testSupport.tsx'

const words = (count: number): string => Array.from({ length: count }, (_, i) => `w${i}`).join(' ')
const talker = (text: string) => agent({ name: 'talker', model: scriptedModel(text) })

it('is one per run', () => {
  const run = talker('Hi').start('Go')
  const other = talker('Hi').start('Go')

  const store = createRunStore(run)

  expect(createRunStore(run)).toBe(store)
  expect(createRunStore(other)).not.toBe(store)
})

it('notifies of a thousand deltas at the next frame, and of the end immediately', async () => {
  const { frame, ...frames } = manualFrames()
  const run = talker(words(1_000)).start('Go')
  const store = createRunStore(run, { frame })
  let told = 0
  store.subscribe(() => told++)

  await run.settled

  expect(told).toBe(1)
  expect(store.getState()).toBe(run.state)
  expect(frames.awaited).toBe(0)
})

it('notifies once per frame', async () => {
  const { frame, next } = manualFrames()
  const run = talker(words(10)).start('Go')
  const seen: (string | undefined)[] = []
  const store = createRunStore(run, { frame })
  store.subscribe(({ draft }) => seen.push(draft?.text))

  run.subscribe((event) => event.type === 'delta' && event.delta === ' w4' && next())
  await run.settled

  expect(seen).toEqual(['w0 w1 w2 w3 w4', undefined])
})

it('notifies immediately when the run asks and when it receives a reply', async () => {
  const run = askingAgent(choice({ prompt: 'Which?', options: ['a', 'b'] })).start('Go')
  const store = createRunStore(run, { frame: manualFrames().frame })
  const asks: number[] = []
  store.subscribe((state) => asks.push(state.asks.length))

  await run.settled
  await run.reply('1/tool/0/ask/0', 'a')

  expect(asks).toEqual([1, 1, 0])
})

it('listens to the run only while it has subscribers, and is never out of date', async () => {
  const { frame, ...frames } = manualFrames()
  const run = talker('Hi').start('Go')
  const store = createRunStore(run, { frame })

  const end = store.subscribe(() => {})
  end()
  end()
  await run.settled

  expect(frames.awaited).toBe(0)
  expect(store.getState()).toBe(run.state)
})

it('updates a subscriber that returns', async () => {
  const run = talker('Hi').start('Go')
  const store = createRunStore(run, { frame: manualFrames().frame })
  store.subscribe(() => {})()

  await run.settled
  store.subscribe(() => {})

  expect(store.getState()).toBe(run.state)
})

it('notifies a function that subscribed twice until it has unsubscribed twice', async () => {
  const run = talker('Hi').start('Go')
  const store = createRunStore(run, { frame: manualFrames().frame })
  let told = 0
  const listener = (): void => void told++

  store.subscribe(listener)()
  store.subscribe(listener)
  await run.settled

  expect(told).toBe(1)
})

it('works with a synchronous frame', async () => {
  const run = talker(words(3)).start('Go')
  const store = createRunStore(run, {
    frame: (callback) => {
      callback()
      return () => {}
    },
  })
  let told = 0
  store.subscribe(() => told++)

  await run.settled

  expect(told).toBeGreaterThan(4)
})

it('gives a server the state as it is then', async () => {
  const run = talker('Hi').start('Go')
  const store = createRunStore(run)

  await run.settled

  expect(store.getInitialState()).toBe(run.state)
})

it('notifies the others when a subscriber throws', async () => {
  const run = talker('Hi').start('Go')
  const store = createRunStore(run)
  const reported = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => reported.mockRestore())
  let told = 0
  store.subscribe(() => {
    throw new Error('Not me.')
  })
  store.subscribe(() => told++)

  await run.settled

  expect(told).toBe(1)
  expect(reported).toHaveBeenCalledOnce()
})
