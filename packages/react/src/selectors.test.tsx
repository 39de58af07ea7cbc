import { agent, choice, type Run, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { useAsks, useDraft, useScratchpad, useSignal, useStatus, useUsage } from './index.ts'
import { createRunStore } from './RunStore.ts'
import { askingAgent, manualFrames } from './testing/testSupport.tsx'

afterEach(cleanup)

const add = tool({ inputSchema: z.object({ a: z.number(), b: z.number() }), execute: ({ a, b }) => a + b })
const calculator = () =>
  agent({
    name: 'calculator',
    model: scriptedModel({ text: 'I add.', calls: [{ name: 'add', input: { a: 2, b: 3 } }] }, 'Five.'),
    tools: { add },
  })
const asker = () => askingAgent(choice({ prompt: 'Which?', options: ['a', 'b'] }))

it('useScratchpad gives thoughts, actions and observations', async () => {
  const run = calculator().start('2 + 3?')
  const { result } = renderHook(() => useScratchpad(run))

  await act(() => run.settled)

  expect(result.current.map(({ type }) => type)).toEqual(['thought', 'action', 'observation', 'thought'])
})

it('useUsage gives the total and each turn, and the same object until there is more', async () => {
  const run = calculator().start('2 + 3?')
  const { result, rerender } = renderHook(() => useUsage(run))

  await act(() => run.settled)
  const before = result.current
  rerender()

  expect(result.current).toBe(before)
  expect(result.current.total).toMatchObject({ inputTokens: 20, outputTokens: 10 })
  expect(result.current.iterations).toMatchObject([
    { iteration: 1, usage: { inputTokens: 10 } },
    { iteration: 2, usage: { inputTokens: 10 } },
  ])
})

it('useAsks gives the open questions', async () => {
  const run = asker().start('Go')
  const { result } = renderHook(() => useAsks(run))

  await act(() => run.settled)
  const open = result.current
  await act(() => run.reply(open[0]?.id ?? '', 'a'))

  expect(open).toMatchObject([{ kind: 'choice', prompt: 'Which?' }])
  expect(result.current).toEqual([])
})

it('useStatus distinguishes working, waiting for a user and settled', async () => {
  const run = asker().start('Go')
  const seen: string[] = []
  const { result } = renderHook(() => {
    const now = useStatus(run)
    seen.push(now.status)
    return now
  })

  await act(() => run.settled)
  await act(async () => {
    await run.reply('1/tool/0/ask/0', 'a')
    await run.settled
  })

  expect([...new Set(seen)]).toEqual(['working', 'waiting', 'settled'])
  expect(result.current.signal).toMatchObject({ type: 'answer', output: 'Done.' })
})

it('useDraft gives what has arrived of a turn', async () => {
  const { frame, next } = manualFrames()
  const run = agent({ name: 'talker', model: scriptedModel('one two three') }).start('Go')
  createRunStore(run, { frame })
  const seen: (string | undefined)[] = []
  renderHook(() => seen.push(useDraft(run)?.text))

  run.subscribe((event) => event.type === 'delta' && act(next))
  // No act(): React 18 keeps what happens in it for its end.
  await waitFor(() => expect(run.state.signal).toBeDefined())

  expect(seen).toEqual(['', 'one', 'one two', 'one two three', undefined])
})

it('useSignal gives why the run settles, or only a signal of one type', async () => {
  const run = asker().start('Go')
  const { result } = renderHook(() => [
    useSignal(run)?.type,
    useSignal(run, 'inputNeeded')?.type,
    useSignal(run, 'answer'),
  ])

  await act(() => run.settled)

  expect(result.current).toEqual(['inputNeeded', 'inputNeeded', undefined])
})

it('gives something empty, and always the same, without a run', () => {
  const none: Run | undefined = undefined
  const useAll = () =>
    [useScratchpad(none), useUsage(none), useAsks(none), useStatus(none), useDraft(none), useSignal(none)] as const
  const { result, rerender } = renderHook(useAll)
  const first = result.current

  rerender()

  expect(first).toMatchObject([
    [],
    { total: { inputTokens: 0 }, iterations: [] },
    [],
    { status: 'idle' },
    undefined,
    undefined,
  ])
  for (const [index, value] of first.entries()) expect(result.current[index]).toBe(value)
})
