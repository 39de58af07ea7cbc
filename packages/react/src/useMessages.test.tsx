import { type Agent, agent, type Run } from '@interleave/core'
import type { ChatMessage } from '@interleave/core/observe'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, render, renderHook, screen, waitFor } from '@testing-library/react'
import { memo } from 'react'
import { afterEach, expect, it } from 'vitest'
import { createRunStore } from './RunStore.ts'
import { useMessages } from './selections.ts'
import { manualFrames } from './testing/testSupport.tsx'

afterEach(cleanup)

const talker = (...turns: string[]): Agent<string> => agent({ name: 'talker', model: scriptedModel(...turns) })

it('gives what a chat shows', async () => {
  const run = talker('Hello.').start('Hi')
  const { result } = renderHook(() => useMessages(run))

  await act(() => run.settled)

  expect(result.current).toMatchObject([
    { type: 'user', text: 'Hi' },
    { type: 'text', text: 'Hello.', isAnswer: true },
  ])
})

it('renders a memoised message only while it grows', async () => {
  const run = talker('One two three.', 'Four five.').start('Hi')
  const renders: Record<string, number> = {}
  const Message = memo(({ message }: { readonly message: ChatMessage }) => {
    renders[message.key] = (renders[message.key] ?? 0) + 1
    return <p>{'text' in message && message.text}</p>
  })
  const Chat = () => useMessages(run).map((message) => <Message key={message.key} message={message} />)
  const { frame, next } = manualFrames()
  createRunStore(run, { frame })
  run.subscribe(() => act(next))
  render(<Chat />)
  await act(() => run.settled)
  const before = { ...renders }

  // No act(): React 18 keeps what happens in it for its end.
  void run.say('More')
  await waitFor(() => expect(run.state.signal).toMatchObject({ output: 'Four five.' }))

  expect(screen.getByText('Four five.')).toBeTruthy()
  expect(renders['1/text']).toBe(before['1/text'])
  expect(renders['2/text']).toBeGreaterThan(1)
})

it('shows another run at once, also in the middle of both', async () => {
  const endless = () => agent({ name: 'talker', model: scriptedModel(() => new Promise(() => {})) })
  const [one, two] = [endless().start('First'), endless().start('Second')]
  const { result, rerender } = renderHook(({ run }: { run: Run }) => useMessages(run), { initialProps: { run: one } })
  await waitFor(() => expect(result.current.length).toBe(1))

  rerender({ run: two })

  expect(result.current).toMatchObject([{ text: 'Second' }])
  await act(() => Promise.all([one.stop(), two.stop()]))
})

it('is the same empty list without a run', () => {
  const { result, rerender } = renderHook(() => useMessages(undefined))
  const before = result.current

  rerender()

  expect(before).toEqual([])
  expect(result.current).toBe(before)
})
