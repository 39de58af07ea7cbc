import { agent, text, tool } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { afterEach, expect, it } from 'vitest'
import * as z from 'zod'
import { acrossTabs } from './acrossTabs.ts'

afterEach(() => document.dispatchEvent(new Event('resume')))

it('takes the run from a page that the browser froze, which still receives messages', async () => {
  const journal = memoryJournal()
  const ask = tool({ inputSchema: z.object({}), execute: (_, { ask }) => ask(text({ prompt: '?' })) })
  const guide = agent({ name: 'a', model: scriptedModel({ calls: [{ name: 'ask', input: {} }] }), tools: { ask } })
  const [tab, other] = [0, 1].map(() => acrossTabs(guide, { journal, takeoverAfterMs: 200 }))
  const run = tab?.start('Go', { id: `frozen-${Date.now()}` })
  await run?.settled
  const same = await other?.resume(run?.id ?? '')
  expect(same?.owner).toBe('elsewhere')

  document.dispatchEvent(new Event('freeze'))
  const reply = same?.reply('1/tool/0/ask/0', 'x')

  await expect.poll(() => same?.owner).toBe('here')
  await reply
  expect(same?.log.filter(({ type }) => type === 'replied')).toHaveLength(1)
  for (const each of [run, same]) each?.close()
})
