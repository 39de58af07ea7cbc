import { agent, confirm, type ToolContext, tool } from '@interleave/core'
import { staleOwner } from '@interleave/core/internal'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { fakeBrowser } from '@interleave/test-kit/fakeBrowser'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { acrossTabs } from './index.ts'

const asking = () =>
  agent({
    name: 'a',
    model: scriptedModel(({ prompt }) =>
      prompt.some(({ role }) => role === 'tool') ? 'Done.' : { calls: [{ name: 'ask', input: {} }] },
    ),
    tools: {
      ask: tool({
        inputSchema: z.object({}),
        effect: 'readOnly',
        execute: async (_, { ask }: ToolContext) => String(await ask(confirm({ prompt: 'Go on?' }))),
      }),
    },
  })

it('asks again for a reply that an owner could not keep, as it was itself followed by another one', async () => {
  const browser = fakeBrowser(memoryJournal(), () => new Promise((resolve) => setTimeout(resolve)))
  const [first, second] = [browser.openTab(), browser.openTab()]
  await acrossTabs(asking(), { journal: first.journal, origin: first.origin }).start('Go', { id: 'r' }).settled
  let conflicts = 0
  const append: Journal['append'] = (id, events, options) => {
    const isReply = events.some(({ type }) => type === 'replied')
    if (isReply && ++conflicts === 1) throw staleOwner('r')
    return second.journal.append(id, events, options)
  }
  const run = await acrossTabs(asking(), {
    origin: second.origin,
    journal: { ...second.journal, append },
  }).resume('r')

  first.kill()
  await run.reply('1/tool/0/ask/0', true)

  expect(conflicts).toBe(2)
  expect(await run.settled).toMatchObject({ output: 'Done.' })
})
