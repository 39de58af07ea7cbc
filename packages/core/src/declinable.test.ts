import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, declinable, form, link, type TypedQuestion, tool } from './index.ts'
import { memoryJournal } from './journal/index.ts'

const fields = form({ prompt: 'Who?', schema: z.object({ name: z.string() }) })
function asker(question: TypedQuestion<unknown>) {
  const ask = tool({ inputSchema: z.object({}), execute: (_, { ask }) => ask(question) })
  return agent({ name: 'a', model: scriptedModel({ calls: [{ name: 'ask', input: {} }] }, 'Done.'), tools: { ask } })
}

it('takes a refusal as an answer, checked by the asker, and in a process that does not know it', async () => {
  const journal = memoryJournal()
  const a = asker(declinable(fields))
  const run = a.start('Go', { journal })
  await run.settled
  const id = run.state.asks[0]?.id ?? ''

  await expect(run.reply(id, { $reply: 'no' })).rejects.toMatchObject({ code: 'reply_invalid' })
  await run.reply(id, { $reply: 'declined' })
  await run.settled

  expect(run.state.history.flat()[1]).toMatchObject({ calls: [{ result: { value: { $reply: 'declined' } } }] })
})

it('refuses a refusal where none is offered', async () => {
  for (const question of [fields, link({ prompt: 'Pay', url: 'https://a.example' })]) {
    const run = asker(question).start('Go')
    await run.settled
    await expect(run.reply(run.state.asks[0]?.id ?? '', { $reply: 'declined' })).rejects.toThrow()
  }
})

it('asks with a link, over a reload', async () => {
  const journal = memoryJournal()
  const a = asker(link({ prompt: 'Pay', url: 'https://pay.example/x' }))
  const first = a.start('Go', { journal })
  await first.settled
  const run = await a.resume(first.id, { journal })
  await run.settled

  expect(run.state.asks).toMatchObject([{ kind: 'link', url: 'https://pay.example/x' }])
  await run.reply(run.state.asks[0]?.id ?? '', 'done')
  expect(await run.settled).toMatchObject({ type: 'answer' })
})

it.each([
  'javascript:alert(1)',
  'http://example.com',
  'https://me:secret@example.com',
  'pay.example',
  'data:text/html,x',
])('sends no one to %s', (url) => {
  expect(() => link({ prompt: 'Pay', url })).toThrow('`url`')
})

it('sends to this machine without https', () => {
  expect(link({ prompt: 'Pay', url: 'http://localhost:3000/x' }).question).toMatchObject({ kind: 'link' })
})
