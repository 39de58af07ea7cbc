import { agent, tool } from '@interleave/core'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { fakeBrowser } from '@interleave/test-kit/fakeBrowser'
import { manualHost, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { acrossTabs } from './index.ts'

const takeoverAfterMs = 400

/** Two tabs that show a run in the middle of a call, in a journal whose reads may fail. */
async function openTwo() {
  const kept = memoryJournal()
  const { openTab } = fakeBrowser(kept, async () => {})
  const host = manualHost()
  const disk = { isReadable: true }
  let calls = 0
  let finish = (): void => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const work = tool({
    inputSchema: z.object({}),
    effect: 'idempotent',
    execute: async () => {
      calls++
      await finished
      return 'done'
    },
  })
  const open = () => {
    const tab = openTab()
    const read: Journal['read'] = async (...given) => {
      if (!disk.isReadable) throw new Error('The disk sleeps.')
      return tab.journal.read(...given)
    }
    const model = scriptedModel(({ prompt }) =>
      prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ name: 'work', input: {} }] },
    )
    const described = agent({ name: 'guide', model, tools: { work } })
    const { origin, journal } = tab
    return { guide: acrossTabs(described, { journal: { ...journal, read }, origin, takeoverAfterMs, host }), tab }
  }
  const later = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time++) {
      for (let turn = 0; turn < 40; turn++) await new Promise((resolve) => setImmediate(resolve))
      await host.advance(takeoverAfterMs / 2)
    }
  }
  const [one, two] = [open(), open()]
  const first = one.guide.start('Go', { id: 'r' })
  await expect.poll(() => calls).toBe(1)
  const second = await two.guide.resume('r')
  return { kept, disk, first, second, one, open, finish, later, calls: () => calls }
}

it('shows in each tab that the run was deleted, once, and no one owns it', async () => {
  const { kept, first, second, finish, later } = await openTwo()
  await kept.delete('r')
  finish()
  await later(4)
  const shown = [first, second].map(({ state }) => state)
  await later(40)

  const deleted = { type: 'failed', error: { code: 'run_unknown' } }
  expect(shown.map(({ signal }) => signal)).toMatchObject([deleted, deleted])
  expect([first, second].map(({ state }) => state.seq)).toEqual(shown.map(({ seq }) => seq))
  expect([first.owner, second.owner]).toEqual(['nobody', 'nobody'])
  await expect(first.say('More')).rejects.toMatchObject({ code: 'run_unknown' })
  await expect(second.say('More')).rejects.toMatchObject({ code: 'run_unknown' })
})

it('is resumed by the tab whose user tries again, and followed by the other', async () => {
  const { disk, one, second, open, finish, later, calls } = await openTwo()
  const third = await open().guide.resume('r')
  disk.isReadable = false
  one.tab.kill()
  await later(180)
  const before = [second, third].map(({ state: { signal }, owner }) => [signal?.type, owner])
  disk.isReadable = true
  third.resume()
  await later(1)
  const owners = [second.owner, third.owner]
  finish()
  await later(1)

  expect(before).toEqual([
    ['failed', 'nobody'],
    ['failed', 'nobody'],
  ])
  expect(owners).toEqual(['elsewhere', 'here'])
  expect(await third.settled).toMatchObject({ output: 'Done.' })
  expect(second.state).toEqual(third.state)
  expect(calls()).toBe(2)
})
