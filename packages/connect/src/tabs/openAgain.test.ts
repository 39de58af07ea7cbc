import { agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { observer } from '@interleave/core/observe'
import { type FakeTab, fakeBrowser } from '@interleave/test-kit/fakeBrowser'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { acrossTabs } from './index.ts'
import { isTabMessage } from './tabMessage.ts'

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
const openTab = () => fakeBrowser(memoryJournal(), pause).openTab
const guideOf = ({ journal, origin }: FakeTab) =>
  acrossTabs(agent({ name: 'a', model: scriptedModel('One.', 'Two.') }), { journal, origin })

it('opens the run that has the id in place of one that was refused it', async () => {
  const open = openTab()
  await guideOf(open()).start('Go', { id: 'r' }).settled
  const guide = guideOf(open())
  const refused = guide.start('Another', { id: 'r' })
  await refused.settled

  const run = await guide.resume('r')
  await run.say('More')

  expect(run).not.toBe(refused)
  expect(await run.settled).toMatchObject({ output: 'Two.' })
})

it('opens a run again once it is closed, and closes it once', async () => {
  const guide = guideOf(openTab()())
  const first = guide.start('Go', { id: 'r' })
  await first.settled
  first.close()

  const second = await guide.resume('r')
  first.close()

  expect(second).not.toBe(first)
  expect(await guide.resume('r')).toBe(second)
})

it('notifies an observer once, however often its run is opened', async () => {
  const guide = guideOf(openTab()())
  let answers = 0
  const observers = [observer({ onFinish: () => void answers++ })]
  const run = guide.start('Go', { id: 'r', observers })
  await guide.resume('r', { observers })
  await guide.resume('r', { observers })

  await run.settled

  expect(answers).toBe(1)
})

it('settles every wait for a run that is closed', async () => {
  const { journal, origin } = openTab()()
  const silent = { ...scriptedModel(), doStream: () => new Promise<never>(() => {}) }
  const run = acrossTabs(agent({ name: 'a', model: silent }), { journal, origin }).start('Go')
  const settled = run.settled

  run.close()

  expect(await settled).toMatchObject({ type: 'stopped', reason: expect.stringContaining('resume()') })
  expect(run.owner).toBe('nobody')
})

it('settles when it is closed while it reads on', async () => {
  const open = openTab()
  const silent = { ...scriptedModel(), doStream: () => new Promise<never>(() => {}) }
  const one = open()
  const first = acrossTabs(agent({ name: 'a', model: silent }), { journal: one.journal, origin: one.origin }).start(
    '1',
    { id: 'r' },
  )
  await expect.poll(() => one.journal.read('r')).toHaveLength(2)
  const { journal, origin } = open()
  let isOpen = false
  let proceed = (): void => {}
  const slow = new Promise<void>((resolve) => {
    proceed = resolve
  })
  const read: typeof journal.read = async (...given) => {
    if (isOpen) await slow
    return journal.read(...given)
  }
  let isDone = (): void => {}
  const done = new Promise<void>((resolve) => {
    isDone = resolve
  })
  const channel: typeof origin.channel = (name, listener) =>
    origin.channel(name, {
      ...listener,
      onMessage(data) {
        listener.onMessage(data)
        if (isTabMessage(data) && data.type === 'done') isDone()
      },
    })
  const second = await acrossTabs(agent({ name: 'a', model: silent }), {
    journal: { ...journal, read },
    origin: { ...origin, channel },
  }).resume('r')
  isOpen = true
  const saying = second.say('2')
  await done
  expect(first.state.pending).toHaveLength(2)

  second.close()
  proceed()

  await saying
  expect(await second.settled).toMatchObject({ type: 'stopped' })
})

it('listens no more where it cannot be opened', async () => {
  const open = openTab()
  await guideOf(open()).start('Go', { id: 'r' }).settled
  const { journal, origin } = open()
  let listening = 0
  const channel: typeof origin.channel = (name, listener) => {
    listening++
    const { post, close } = origin.channel(name, listener)
    return {
      post,
      close() {
        listening--
        close()
      },
    }
  }
  const locks = { request: () => Promise.reject(new DOMException('No page.', 'InvalidStateError')) }
  const guide = acrossTabs(agent({ name: 'a', model: scriptedModel() }), { journal, origin: { locks, channel } })

  await expect(guide.resume('r')).rejects.toThrow('No page.')

  expect(listening).toBe(0)
})
