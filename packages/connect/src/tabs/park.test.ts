import { agent, confirm, tool } from '@interleave/core'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { fakeBrowser } from '@interleave/test-kit/fakeBrowser'
import { manualHost, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { acrossTabs } from './index.ts'

const takeoverAfterMs = 400

/** Creates tabs whose time the test controls. */
function browser(kept: Required<Journal> = memoryJournal()) {
  const { openTab } = fakeBrowser(kept, async () => {})
  const host = manualHost()
  const open = (...turns: readonly ScriptedTurn[]) => {
    const tab = openTab()
    const { journal, origin } = tab
    const ask = tool({ inputSchema: z.object({}), execute: (_, run) => run.ask(confirm({ prompt: 'Sure?' })) })
    const described = agent({ name: 'guide', model: scriptedModel(...turns), tools: { ask } })
    return { guide: acrossTabs(described, { journal, origin, takeoverAfterMs, host }), kill: () => tab.kill() }
  }
  const idle = async (): Promise<void> => {
    for (let turn = 0; turn < 40; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  const later = async (times = 2): Promise<void> => {
    for (let time = 0; time < times; time++) {
      await idle()
      await host.advance(takeoverAfterMs)
    }
    await idle()
  }
  return { open, later, kept }
}

it('gives the run back while it settles, and takes it again for the next message', async () => {
  const { open, later } = browser()
  const run = open('One.', 'Two.').guide.start('Go')
  await run.settled
  const during = run.owner

  await later()
  const after = run.owner
  await run.say('More')

  expect([during, after, run.owner]).toEqual(['here', 'nobody', 'here'])
  expect(await run.settled).toMatchObject({ output: 'Two.' })
})

it('gives back a run that is opened settled', async () => {
  const { open, later } = browser()
  const first = open('One.')
  const { id, settled } = first.guide.start('Go')
  await settled
  first.kill()

  const run = await open('Two.').guide.resume(id)
  await later()

  expect(run.owner).toBe('nobody')
  await run.say('More')
  expect(await run.settled).toMatchObject({ output: 'Two.' })
})

it('keeps a run that waits for an answer', async () => {
  const { open, later } = browser()
  const run = open({ calls: [{ name: 'ask', input: {} }] }).guide.start('Go')
  await run.settled

  await later(9)

  expect(run.owner).toBe('here')
})

it('follows the tab that continues it, and gets it if that one is closed in the middle', async () => {
  const { open, later } = browser()
  const one = open('One.', 'Three.')
  const first = one.guide.start('Go')
  await first.settled
  await later()
  const two = open(() => new Promise(() => {}))
  const second = await two.guide.resume(first.id)

  await second.say('More')
  await later()
  const during = [first.owner, second.owner]
  two.kill()
  await later()

  expect(during).toEqual(['elsewhere', 'here'])
  expect(await first.settled).toMatchObject({ output: 'Three.' })
  expect(first.state.iteration).toBe(2)
})

it('gives a settled run no owner, however many tabs have it open', async () => {
  const { open, later, kept } = browser()
  const first = open('One.').guide.start('Go')
  await first.settled
  const others = await Promise.all([open('Two.'), open('Two.')].map(({ guide }) => guide.resume(first.id)))

  await later(20)
  const { length } = await kept.read(first.id)
  await later(20)

  expect([first, ...others].map(({ owner }) => owner)).not.toContain('here')
  expect(await kept.read(first.id)).toHaveLength(length)
  await others[1]?.say('More')
  expect(await first.settled).toMatchObject({ output: 'Two.' })
})

it('shows that no tab has a settled run, whichever tabs had it after this one', async () => {
  const { open, later } = browser()
  const first = open('One.').guide.start('Go')
  await first.settled
  await later()
  const second = await open('Two.').guide.resume(first.id)
  await later()
  const opened = [first.owner, second.owner]

  await second.say('More')
  await first.settled
  const during = [first.owner, second.owner]
  await later(9)

  expect(opened).toEqual(['nobody', 'nobody'])
  expect(during).toEqual(['elsewhere', 'here'])
  expect([first.owner, second.owner]).toEqual(['nobody', 'nobody'])
})

it('keeps a run whose rest the journal had no room for', async () => {
  const kept = memoryJournal()
  const append: Journal['append'] = (id, events, options) => {
    if (events.some(({ type }) => type === 'settled'))
      throw Object.assign(new Error('full'), { name: 'QuotaExceededError' })
    kept.append(id, events, options)
  }
  const { open, later } = browser({ ...kept, append })
  const run = open('One.').guide.start('Go')
  await run.settled

  await later(9)

  expect(run.owner).toBe('here')
})
