import { agent, confirm, tool } from '@interleave/core'
import { indexedDbJournal } from '@interleave/core/indexeddb'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { acrossTabs, type RemoteAgent } from './index.ts'
import { browserOrigin } from './origin.ts'

let names = 0

/** Tabs of one origin: their locks are of frames, which can be removed as a tab is closed. */
function openTabs() {
  const name = `tabs-${Date.now()}-${names++}`
  const open = (...turns: readonly ScriptedTurn[]): { guide: RemoteAgent<string>; kill(): void } => {
    const frame = document.body.appendChild(document.createElement('iframe'))
    const origin = { ...browserOrigin(), locks: frame.contentWindow?.navigator.locks ?? navigator.locks }
    const ask = tool({ inputSchema: z.object({}), execute: (_, run) => run.ask(confirm({ prompt: 'Sure?' })) })
    const described = agent({ name: 'guide', model: scriptedModel(...turns), tools: { ask } })
    return { guide: acrossTabs(described, { journal: indexedDbJournal({ name }), origin }), kill: () => frame.remove() }
  }
  return { open, id: name }
}
const ask = { calls: [{ name: 'ask', input: {} }] }

it('is answered in a tab that it does not work in', async () => {
  const { open, id } = openTabs()
  const first = open(ask, 'Done.').guide.start('Go', { id })
  const waits = await first.settled
  const second = await open().guide.resume(id)

  if (waits.type === 'inputNeeded') await second.reply(waits.asks[0].id, true)

  expect(await second.settled).toMatchObject({ output: 'Done.' })
  expect([first.owner, second.owner]).toEqual(['here', 'elsewhere'])
  expect(second.state).toEqual(first.state)
})

it('is taken over when its tab is gone', async () => {
  const { open, id } = openTabs()
  const one = open(ask)
  const first = one.guide.start('Go', { id })
  await first.settled
  const second = await open('Done.').guide.resume(id)

  one.kill()
  await expect.poll(() => second.owner).toBe('here')
  await second.reply('1/tool/0/ask/0', true)

  expect(await second.settled).toMatchObject({ output: 'Done.' })
})
