import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agentTool } from '../agents/index.ts'
import { agent, confirm, tool } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'
import { decorateJournal } from '../journal.ts'

it('does not wait for a user while the journal takes the failure of a child that asked', async () => {
  let refuses = true
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const journal = decorateJournal(memoryJournal(), (inner) => ({
    append: async (runId, events, options) => {
      if (runId !== 'r' && refuses && events.some(({ type }) => type === 'asked')) {
        if (events.some(({ type }) => type === 'settled')) await held
        throw new Error('The disk is full.')
      }
      return inner.append(runId, events, options)
    },
  }))
  const book = tool({
    inputSchema: z.object({}),
    execute: async (_, { ask }) => `Booked: ${await ask(confirm({ prompt: 'Sure?' }))}`,
  })
  const child = scriptedModel({ calls: [{ name: 'book', input: {} }] }, 'Booked.')
  const clerk = agent({ name: 'clerk', model: child, tools: { book } })
  const parent = scriptedModel({ calls: [{ name: 'clerk', input: { task: 'Book' } }] }, 'Done.')
  const tools = { clerk: agentTool(clerk, { description: 'Books.' }) }
  const run = agent({ name: 'boss', model: parent, tools }).start('Book', { id: 'r', journal })
  const signals: string[] = []
  run.subscribe((event) => event.type === 'settled' && signals.push(event.signal.type))

  await expect.poll(() => run.state.asks.length).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(signals).toEqual([])
  release()

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'journal_failed' } })
  refuses = false
  run.resume()
  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ id: '1/tool/0>1/tool/0/ask/0' }] })
  await run.reply('1/tool/0>1/tool/0/ask/0', true)
  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
})
