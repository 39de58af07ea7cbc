import { agent, confirm, type Run, tool } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { connectPages } from '@interleave/test-kit/connectPages'
import { type FakeTab, fakeBrowser } from '@interleave/test-kit/fakeBrowser'
import { untilSettled } from '@interleave/test-kit/untilSettled'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { acrossTabs } from '../tabs/index.ts'
import { workerHost } from './index.ts'

const inputSchema = z.object({})
const ask = tool({ inputSchema, execute: (_, context) => context.ask(confirm({ prompt: 'Sure?' })) })
const ownerOf = (run: Run) => (run as { owner?: string }).owner

/** The page of a tab whose agent works in a worker, and shares its runs with other tabs. */
function openTab({ journal, origin }: FakeTab) {
  const calls = [{ name: 'ask', input: {} }]
  const turn: ScriptedTurn = ({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls })
  const model = scriptedModel(turn, turn)
  const shared = acrossTabs(agent({ name: 'a', model, tools: { ask } }), { journal, origin, takeoverAfterMs: 100 })
  return connectPages(workerHost([shared])).open('a').agent
}

it('passes on runs that the workers of several tabs share, and where they work', async () => {
  const browser = fakeBrowser(memoryJournal(), () => new Promise((resolve) => setTimeout(resolve)))
  const [first, second] = [browser.openTab(), browser.openTab()]
  const here = openTab(first).start('Go')
  await untilSettled(here, 'inputNeeded')
  const there = await openTab(second).resume(here.id)
  await expect.poll(() => [ownerOf(here), ownerOf(there)]).toEqual(['here', 'elsewhere'])

  first.kill()
  await expect.poll(() => ownerOf(there)).toBe('here')
  await there.reply('1/tool/0/ask/0', true)

  expect(await there.settled).toMatchObject({ type: 'answer' })
})
