import { AgentError, agent, type Event, type ToolContext, tool } from '@interleave/core'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { type FakeTab, fakeBrowser } from '@interleave/test-kit/fakeBrowser'
import { until } from '@interleave/test-kit/until'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { acrossTabs } from './index.ts'

const pause = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A tab that is to take up a run which was left in the middle of its first turn. */
async function leftRun(readAgain: (kept: Journal) => Promise<void>) {
  const kept = memoryJournal()
  await agent({ name: 'a', model: scriptedModel('One.') }).start('Go', { id: 'r', journal: kept }).settled
  const log = (await kept.read('r')).slice(0, 2)
  await kept.delete('r')
  await kept.append('r', log)
  const { journal, origin } = fakeBrowser(kept, () => pause()).openTab()
  let isOpen = false
  let leave = (): void => {}
  const read: Journal['read'] = async (...given) => {
    if (isOpen) await readAgain(kept)
    isOpen = true
    return kept.read(...given)
  }
  const channel: typeof origin.channel = (name, listener) => {
    leave = listener.onAway
    return origin.channel(name, listener)
  }
  const model = scriptedModel('Done.', 'More.')
  const place = { journal: { ...journal, read }, origin: { ...origin, channel } }
  return { guide: acrossTabs(agent({ name: 'a', model }), place), kept, model, leave: () => leave() }
}

it('tells why it cannot resume to each caller that tries again', async () => {
  const { guide } = await leftRun(() => Promise.reject(new Error('The disk is gone.')))
  const run = await guide.resume('r')

  expect(run.state.signal).toMatchObject({ type: 'failed', error: { code: 'journal_failed' } })
  await expect(run.say('Again')).rejects.toMatchObject({ code: 'journal_failed' })
  await expect(Promise.all([run.say('And'), run.say('again')])).rejects.toMatchObject({ code: 'journal_failed' })
  expect(await run.settled).toMatchObject({ type: 'failed' })
})

it('continues nothing if its page is left while it resumes the run', async () => {
  let left = (): void => {}
  const away = new Promise<void>((resolve) => {
    left = resolve
  })
  const { guide, kept, model, leave } = await leftRun(async () => {
    leave()
    await away
  })

  const opening = guide.resume('r')
  left()
  const run = await opening
  await pause(20)

  expect(run.owner).toBe('nobody')
  expect(run.state.seq).toBe((await kept.read('r')).length)
  expect(model.calls).toEqual([])
})

type Read = () => readonly Event[] | PromiseLike<readonly Event[]>

/** A tab in the middle of a call, and one that follows it, whose reads go through this function. */
async function followedRun(through: (read: Read, from: number | undefined) => ReturnType<Read>) {
  const kept = memoryJournal()
  const { openTab } = fakeBrowser(kept, () => pause())
  const open = (tab: FakeTab, execute: (input: object, context: ToolContext) => unknown, read = tab.journal.read) => {
    const work = tool({ inputSchema: z.object({}), effect: 'readOnly', execute })
    const model = scriptedModel({ calls: [{ name: 'work', input: {} }] })
    const own = scriptedModel('Done.')
    const turns = read === tab.journal.read ? model : own
    return acrossTabs(agent({ name: 'a', model: turns, tools: { work } }), {
      ...{ journal: { ...tab.journal, read }, origin: tab.origin },
    })
  }
  const owner = openTab()
  let note = (): void => {}
  const noted = new Promise<void>((resolve) => {
    note = resolve
  })
  let isCalled = false
  open(owner, async (_, { once }) => {
    isCalled = true
    await noted
    await once('key', () => 1)
    await new Promise(() => {})
  }).start('Go', { id: 'r' })
  await until(() => isCalled)
  const guide = open(
    openTab(),
    () => 'worked',
    (id, from) => through(() => kept.read(id, from), from),
  )
  return { kept, run: await guide.resume('r'), note: () => note(), closeOwner: () => owner.kill() }
}

it('reads again what it could not read for a moment when it takes the run over', async () => {
  let failures = -1
  const { run, closeOwner } = await followedRun((read) => {
    if (failures++ !== 0) return read()
    throw new AgentError('journal_failed', 'The connection broke.', { retryable: true })
  })
  failures = 0

  closeOwner()
  await until(() => run.state.signal)

  expect(run.state.signal).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(failures).toBeGreaterThan(1)
})

it('has each event once if it still reads on when it takes the run over', async () => {
  let [reads, release] = [0, (): void => {}]
  const { kept, run, note, closeOwner } = await followedRun(async (read, from) => {
    if (from === 4 && reads++ === 0) {
      await new Promise<void>((resolve) => {
        release = resolve
      })
    }
    return read()
  })

  note()
  await until(() => reads > 0)
  closeOwner()
  await until(async () => (await kept.read('r')).some(({ type }) => type === 'settled'))
  release()
  await until(() => run.state.signal)

  expect(run.log).toEqual(await kept.read('r'))
})
