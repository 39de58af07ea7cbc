import { agent, type Run, tool } from '@interleave/core'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { CommandQueue } from './owner.ts'

async function asking(journal?: Journal) {
  const buy = tool({ inputSchema: z.object({}), approve: 'always', execute: () => 'sold' })
  const model = scriptedModel({ calls: [{ name: 'buy', input: {} }] }, 'Done.')
  const run = agent({ name: 'a', model, tools: { buy } }).start('Go', journal && { journal })
  await run.settled
  const events = [...(await logOf(run))]
  run.subscribe((event) => 'seq' in event && events.push(event))
  return { run, events, queue: new CommandQueue(() => events), ask: run.state.asks[0]?.id ?? '' }
}

async function logOf(run: Run) {
  const log = []
  for await (const event of run.events()) if ('seq' in event) log.push(event)
  return log
}

const replies = (events: readonly { readonly type: string }[]) => events.filter(({ type }) => type === 'replied')

it('takes one of two replies at once', async () => {
  const { run, events, queue, ask } = await asking()
  const after = run.state.seq

  const first = queue.applyCommand(run, { type: 'reply', ask, value: { approved: true }, after })
  const second = queue.applyCommand(run, { type: 'reply', ask, value: { approved: false }, after })

  await expect(second).rejects.toMatchObject({ code: 'ask_unknown' })
  await first
  expect(replies(events)).toHaveLength(1)
})

it('takes the same reply again for done', async () => {
  const { run, events, queue, ask } = await asking()
  const reply = { type: 'reply', ask, value: { approved: true }, after: run.state.seq } as const

  await Promise.all([queue.applyCommand(run, reply), queue.applyCommand(run, reply)])
  await queue.applyCommand(run, reply)

  expect(replies(events)).toHaveLength(1)
})

it('takes a reply that is right after one that is not', async () => {
  const { run, queue, ask } = await asking()
  const after = run.state.seq

  const wrong = queue.applyCommand(run, { type: 'reply', ask, value: 'maybe', after })
  const right = queue.applyCommand(run, { type: 'reply', ask, value: { approved: true }, after })

  await expect(wrong).rejects.toMatchObject({ code: 'reply_invalid' })
  await right
})

it('takes a reply that is known for done only when the journal has it', async () => {
  let isFull = false
  const kept = memoryJournal()
  const append: Journal['append'] = (id, events, options) => {
    if (isFull) throw new Error('The disk is full.')
    return kept.append(id, events, options)
  }
  const { run, queue, ask } = await asking({ ...kept, append })
  const reply = { type: 'reply', ask, value: { approved: true }, after: run.state.seq } as const
  isFull = true

  await expect(queue.applyCommand(run, reply)).rejects.toMatchObject({ code: 'journal_failed' })
  await expect(queue.applyCommand(run, reply)).rejects.toMatchObject({ code: 'journal_failed' })
  isFull = false
  await queue.applyCommand(run, reply)

  expect(replies(await kept.read(run.id))).toHaveLength(1)
})
