import { agent, approval, tool } from '@interleave/core'
import { type ChatMessage, messagesOf } from '@interleave/core/observe'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { Narrator } from './Narrator.ts'

const textOf = (text: string, isStreaming = true, key = '1/text'): ChatMessage => ({
  ...{ type: 'text', key, at: 0, text, reasoning: '', isStreaming, isAnswer: false },
})
const said = (narrator: Narrator, ...messages: readonly ChatMessage[]) =>
  narrator.next(messages, 'en').map((one) => ('spoken' in one ? one.spoken : one.type))

it('says each sentence of a streaming text once, and the last one when the text is complete', () => {
  const narrator = new Narrator([])
  const steps = ['One', 'One. Tw', 'One. Two. Three', 'One. Two. Three.'].map((text) => said(narrator, textOf(text)))

  expect(steps).toEqual([[], ['One.'], ['Two.'], []])
  expect(said(narrator, textOf('One. Two. Three.', false))).toEqual(['Three.'])
  expect(said(narrator, { ...textOf('One. Two. Three.', false), isAnswer: true } as ChatMessage)).toEqual([])
})

it('says nothing again of a turn that streams again, nor of an old stop', () => {
  const stop = { type: 'settled', key: 's', at: 0, signal: { type: 'stopped', reason: 'x' } } as never as ChatMessage
  const narrator = new Narrator([stop])
  const first = said(narrator, textOf('One. Two. Thr'))

  expect(first).toEqual(['One.', 'Two.'])
  expect(['O', 'One. T', 'One. Two. Three. F'].map((text) => said(narrator, textOf(text)))).toEqual([
    [],
    [],
    ['Three.'],
  ])
  expect(said(narrator, { ...stop })).toEqual([])
})

it('begins again with a turn that is tried again with another text', () => {
  const narrator = new Narrator([])
  said(narrator, textOf('I think so. And'))

  expect(said(narrator, textOf('No. Not'))).toEqual(['No.'])
})

it('says nothing of what is there at first, and continues it', () => {
  const old = [textOf('Long ago. ', false), textOf('It str', true, '2/text')]
  const narrator = new Narrator(old)

  expect(said(narrator, ...old)).toEqual([])
  expect(said(narrator, textOf('It streams. More', true, '2/text'))).toEqual(['eams.'])
})

it('says that calls failed or were refused, and that a run was stopped', async () => {
  const fail = tool({
    inputSchema: z.object({}),
    execute: () => {
      throw new Error('No.')
    },
  })
  const pay = tool({ inputSchema: z.object({}), approve: approval(), execute: () => 'paid' })
  const calls = [
    { name: 'fail', input: {} },
    { name: 'pay', input: {} },
  ]
  const run = agent({ name: 'a', model: scriptedModel({ calls }, 'Well.'), tools: { fail, pay } }).start('Go')
  const narrator = new Narrator([])
  const signal = await run.settled
  const first = said(narrator, ...messagesOf(run))
  if (signal.type === 'inputNeeded') await run.reply(signal.asks[0].id, { approved: false })
  await run.settled

  expect(first).toEqual(['failed'])
  expect(said(narrator, ...messagesOf(run))).toEqual(['refused', 'Well.'])
  expect(
    said(narrator, { type: 'settled', key: 's', at: 0, signal: { type: 'stopped', reason: 'x' } } as never),
  ).toEqual(['stopped'])
})
