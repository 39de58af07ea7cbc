import { agent, choice, type Event, tool } from '@interleave/core'
import { exportRun } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { editable, readEdit, repeatedWork, toField } from './editable.ts'

const pickOne = tool({
  inputSchema: z.object({}),
  execute: async (_, { ask }) => ({ picked: await ask(choice({ prompt: 'Which?', options: ['a', 'b'] })) }),
})

async function picked(): Promise<readonly Event[]> {
  const model = scriptedModel({ text: 'Let me ask.', calls: [{ name: 'pickOne', input: {} }] }, 'It is a.')
  const run = agent({ name: 'picker', model, tools: { pickOne } }).start('Pick one')
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', 'a')
  await run.settled
  return (await exportRun(run)).events
}
const found = (events: readonly Event[], type: Event['type']) => {
  const seq = events.findIndex((event) => event.type === type)
  const it = editable(events, seq)
  if (!it) throw new Error(`Nothing of "${type}" can be changed.`)
  return it
}

it('finds what may be another message, observation or reply', async () => {
  const events = await picked()

  expect(found(events, 'said')).toEqual({ type: 'message', text: 'Pick one' })
  expect(found(events, 'observed')).toEqual({ type: 'observation', tool: 'pickOne', output: { picked: 'a' } })
  expect(found(events, 'replied')).toMatchObject({ type: 'reply', ask: { prompt: 'Which?' }, value: 'a' })
  expect(editable(events, 0)).toBeUndefined()
  expect(editable(events, 99)).toBeUndefined()
})

it('reads back what was typed: texts as they are, anything else as JSON', async () => {
  const events = await picked()
  const [message, observation, reply] = (['said', 'observed', 'replied'] as const).map((type) => found(events, type))
  if (!message || !observation || !reply) throw new Error('There are fewer.')

  expect(readEdit(message, ' Two ')).toEqual({ ok: true, edit: { content: 'Two' } })
  expect(readEdit(observation, '{"picked":"b"}')).toEqual({ ok: true, edit: { output: { picked: 'b' } } })
  expect(readEdit(reply, 'b')).toEqual({ ok: true, edit: { value: 'b' } })
  for (const each of [message, observation, reply])
    expect(readEdit(each, toField(each))).toEqual({ ok: true, edit: undefined })
})

it('says why what was typed cannot be used', async () => {
  const events = await picked()

  expect(readEdit(found(events, 'said'), ' ')).toEqual({ ok: false, problem: 'The message has no text.' })
  expect(readEdit(found(events, 'observed'), '{')).toMatchObject({ problem: expect.stringContaining('no JSON') })
})

it('tells which calls are made again', async () => {
  const events = await picked()

  expect(repeatedWork(events, 1)).toMatch(
    /^After this, 2 model calls \(.*\) and 1 tool call \(Pick one\) followed\. The new run makes its own\.$/,
  )
  expect(repeatedWork(events, events.length - 1)).toContain('No call is made again')
  expect(repeatedWork(events.slice(0, 2), 1)).toBe('The new run continues from here at once.')
})
