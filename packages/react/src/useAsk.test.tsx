import { agent, choice, confirm, reasonAct, type TypedQuestion, text, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { askingAgent } from './testing/testSupport.tsx'
import { type CurrentAsk, useAsk } from './useAsk.ts'

afterEach(cleanup)

const sure = confirm({ prompt: 'Sure?' })
const which = choice({ prompt: 'Which?', options: ['a', 'b'] })

const send = (asked: CurrentAsk, value: unknown): Promise<boolean> => asked.reply(value as never)

async function asked(...questions: readonly TypedQuestion<unknown>[]) {
  const run = askingAgent(...questions).start('Go')
  await run.settled
  return { run, ...renderHook(() => useAsk(run)) }
}

it('returns one question after another, and its position', async () => {
  const { run, result } = await asked(sure, which)
  const before = result.current

  await act(() => send(result.current, true))

  expect(before).toMatchObject({ kind: 'confirm', position: 1, open: 2, isSending: false })
  expect(result.current).toMatchObject({ kind: 'choice', position: 1, open: 1 })
  await act(() => run.stop())
  expect(result.current).toMatchObject({ kind: undefined, ask: undefined, position: 0, open: 0 })
})

it('says what is wrong with a reply, and nothing of it with the next question', async () => {
  const { result } = await asked(which, sure)

  const isTaken = await act(() => send(result.current, 'c'))
  const { error, kind } = result.current
  await act(() => send(result.current, 'a'))

  expect([isTaken, kind]).toEqual([false, 'choice'])
  expect(error).toMatchObject({ code: 'reply_invalid', message: expect.stringContaining('a') })
  expect(result.current).toMatchObject({ kind: 'confirm', error: undefined })
})

it('sends once what is sent twice in one go', async () => {
  const { result } = await asked(which, sure)
  const { reply } = result.current

  const taken = await act(() => Promise.all([reply('a' as never), reply('a' as never)]))

  expect(taken).toEqual([true, false])
  expect(result.current.error).toBe(undefined)
})

it('puts a question off and shows the next, until it is wanted back', async () => {
  const { result } = await asked(sure, which)

  act(() => result.current.later())
  const next = result.current
  act(() => result.current.later())
  const none = result.current
  act(() => result.current.back())

  expect(next).toMatchObject({ kind: 'choice', position: 2, open: 2 })
  expect(none).toMatchObject({ kind: undefined, open: 2 })
  expect(result.current).toMatchObject({ kind: 'confirm', position: 1 })
})

it('gives one question alone, while it is open', async () => {
  const run = askingAgent(sure, text({ prompt: 'Name?' })).start('Go')
  await run.settled
  const [, name] = run.state.asks
  const { result } = renderHook(() => useAsk(run, name))
  const before = result.current

  await act(() => send(result.current, 'Ada'))

  expect(before).toMatchObject({ kind: 'text', position: 2, open: 2 })
  expect(result.current).toMatchObject({ kind: undefined, open: 1 })
})

it('takes a question that is asked again for a new one, put off or refused as it was before', async () => {
  const tools = { look: tool({ inputSchema: z.object({}), execute: () => 'Nothing' }) }
  const model = scriptedModel(() => ({ calls: [{ name: 'look', input: {} }] }))
  const run = agent({ name: 'busy', model, tools, backend: reasonAct({ limits: { iterations: 1 } }) }).start('Go')
  await run.settled
  const { result } = renderHook(() => useAsk(run))
  await act(() => send(result.current, { extend: -1 }))
  const before = result.current
  act(() => result.current.later())

  await act(() => run.stop())
  run.resume()
  await act(() => run.settled)

  expect(before).toMatchObject({ kind: 'extension', error: { message: expect.any(String) } })
  expect(result.current).toMatchObject({ kind: 'extension', ask: { id: before.ask?.id }, error: undefined })
})
