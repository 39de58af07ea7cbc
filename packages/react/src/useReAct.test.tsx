import { type Agent, agent, answer, choice, type Run } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { heldJournal } from '@interleave/test-kit/heldJournal'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, render, renderHook, screen, waitFor } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { ReActProvider, useReAct } from './index.ts'
import { createRunStore } from './RunStore.ts'
import { askingAgent, manualFrames } from './testing/testSupport.tsx'

afterEach(cleanup)

const talker = (...turns: string[]): Agent<string> => agent({ name: 'talker', model: scriptedModel(...turns) })
const actNow = <T,>(body: () => T): T => {
  let value: T | undefined
  act(() => {
    value = body()
  })
  return value as T
}
const words = (count: number): string => Array.from({ length: count }, (_, i) => `w${i}`).join(' ')

const guide = talker()

it('starts a run and shows its answer', async () => {
  const guide = talker('Five.')
  const { result } = renderHook(() => useReAct(guide))
  const before = [result.current.status, result.current.run, result.current.answer]

  await act(() => result.current.start('2 + 3?').settled)

  expect(before).toEqual(['idle', undefined, undefined])
  expect(result.current).toMatchObject({
    status: 'settled',
    answer: 'Five.',
    isWorking: false,
    signal: { type: 'answer' },
  })
})

it('says the first message by starting, and the next to the same run', async () => {
  const guide = talker('One.', 'Two.')
  const { result } = renderHook(() => useReAct(guide))

  await act(async () => {
    await result.current.say('First')
    await result.current.say('Second')
  })
  await act(async () => void (await result.current.run?.settled))

  expect(result.current.answer).toBe('Two.')
})

it('resolves a message that starts a run once the journal has it', async () => {
  const journal = heldJournal()
  journal.hold('started')
  const { result } = renderHook(() => useReAct(talker('Hi'), { journal }))
  let saved: number | undefined
  let saying: Promise<void> | undefined
  act(() => {
    saying = result.current.say('Go').then(async () => {
      saved = (await journal.read(result.current.run?.id ?? '')).length
    })
  })
  await act(() => expect.poll(() => journal.held).toContain('said'))
  expect(saved).toBeUndefined()

  journal.release()
  await act(async () => void (await saying))
  expect(saved).toBeGreaterThanOrEqual(2)
  expect(result.current.run?.log.filter(({ type }) => type === 'said')).toHaveLength(1)
})

it('starts once under StrictMode', async () => {
  const model = scriptedModel('Hi')
  const guide = agent({ name: 'talker', model })
  const { result } = renderHook(() => useReAct(guide), { wrapper: StrictMode })

  await act(() => result.current.start('Go').settled)

  expect(model.calls.length).toBe(1)
  expect(result.current.answer).toBe('Hi')
})

it('shows the same run if the agent is a new object in each render', async () => {
  const { result, rerender } = renderHook(() => useReAct(talker('One.')))

  await act(() => result.current.start('Go').settled)
  const { run, start, say } = result.current
  rerender()

  expect(result.current).toMatchObject({ run, start, say, answer: 'One.' })
})

it('starts the next run with the agent of the latest render', async () => {
  const { result, rerender } = renderHook(({ guide }) => useReAct(guide), { initialProps: { guide: talker('One.') } })

  rerender({ guide: talker('Two.') })
  await act(() => result.current.start('Go').settled)

  expect(result.current.answer).toBe('Two.')
})

it('renders only for the fields that the component reads', async () => {
  const { frame, next } = manualFrames()
  const run = talker(words(50)).start('Go')
  createRunStore(run, { frame })
  let renders = 0
  const Tokens = () => {
    renders++
    return <output>{useReAct(talker(), { run }).usage.total.outputTokens}</output>
  }
  run.subscribe((event) => event.type === 'delta' && next())

  render(<Tokens />)
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('5'))

  expect(renders).toBe(2)
})

it('shows a field that is read for the first time as it is now', async () => {
  const run = talker(words(5)).start('Go')
  const { result, rerender } = renderHook(
    ({ reads }) => {
      const chat = useReAct(guide, { run })
      return reads ? chat.answer : undefined
    },
    { initialProps: { reads: false } },
  )
  await act(() => run.settled)

  rerender({ reads: true })

  expect(result.current).toBe('w0 w1 w2 w3 w4')
})

it('lets the run continue when the component unmounts', async () => {
  const { result, unmount } = renderHook(() => useReAct(talker('Hi')))
  const run = actNow(() => result.current.start('Go'))

  unmount()

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Hi' })
})

it('stops the run when the component unmounts, if that option is set, and not before', async () => {
  const slow = agent({ name: 'slow', model: scriptedModel(() => new Promise(() => {})) })
  const { result, rerender, unmount } = renderHook(() => useReAct(slow, { onUnmount: 'stop' }), {
    wrapper: StrictMode,
  })
  const run = actNow(() => result.current.start('Go'))
  rerender()
  await Promise.resolve()
  const before = run.state.signal

  unmount()

  expect(before).toBe(undefined)
  expect(await run.settled).toMatchObject({ type: 'stopped' })
})

it('replies, and rejects with what is wrong with a reply', async () => {
  const asker = askingAgent(choice({ prompt: 'Which?', options: ['a', 'b'] }))
  const { result } = renderHook(() => useReAct(asker))
  await act(() => result.current.start('Go').settled)
  const [ask] = result.current.asks
  if (ask?.kind !== 'choice') throw new Error('No question.')

  await expect(result.current.reply(ask, 'c')).rejects.toMatchObject({ code: 'reply_invalid' })
  await act(async () => {
    await result.current.reply(ask, 'a')
    await result.current.run?.settled
  })

  expect(result.current).toMatchObject({ asks: [], answer: 'Done.' })
})

it('stops and resumes', async () => {
  const model = scriptedModel(() => new Promise(() => {}), 'Hi')
  const guide = agent({ name: 'talker', model })
  const { result } = renderHook(() => useReAct(guide))
  act(() => void result.current.start('Go'))
  await waitFor(() => expect(model.calls.length).toBe(1))

  await act(() => result.current.stop('Enough.'))
  const stopped = result.current.signal
  await act(async () => {
    result.current.resume()
    await result.current.run?.settled
  })

  expect(stopped).toEqual({ type: 'stopped', reason: 'Enough.' })
  expect(result.current.answer).toBe('Hi')
})

it('says why a run failed', async () => {
  const guide = agent({ name: 'talker', model: scriptedModel(new Error('No route to the model.')) })
  const { result } = renderHook(() => useReAct(guide))

  await act(() => result.current.start('Go').settled)

  expect(result.current.error).toMatchObject({ code: 'model_failed', message: 'No route to the model.' })
})

it('resets to no run', async () => {
  const guide = talker('Hi')
  const { result } = renderHook(() => useReAct(guide))
  await act(() => result.current.start('Go').settled)

  act(() => result.current.reset())

  expect(result.current).toMatchObject({ run: undefined, status: 'idle', answer: undefined })
})

it('says what to do when there is no run to reply to', async () => {
  const { result } = renderHook(() => useReAct(talker()))

  await expect(result.current.reply('x', 1)).rejects.toMatchObject({ code: 'run_unknown' })
  expect(() => result.current.resume()).toThrow('Call start() or say() first.')
})

it.each([
  ['tries again', (react: { resume(): void }) => react.resume()],
  ['sends a message', (react: { say(content: string): Promise<void> }) => react.say('Two?')],
])('continues a run here that was continued elsewhere, once its user %s', async (_, act_) => {
  const journal = memoryJournal()
  const { result } = renderHook(() => useReAct(talker('One.', 'Two.', 'Three.'), { journal }))
  await act(async () => void (await result.current.start('One?').settled))
  const { id } = result.current.run ?? { id: '' }
  const there = await talker('There.').resume(id, { journal })
  await there.say('And there?')
  await there.settled
  await act(async () => void (await result.current.say('Here?').catch(() => {})))
  await waitFor(() => expect(result.current.error?.code).toBe('journal_conflict'))

  await act(async () => void (await act_(result.current)))

  await waitFor(() => expect(result.current.error).toBeUndefined())
  expect(result.current.run?.log.filter(({ type }) => type === 'said')).toContainEqual(
    expect.objectContaining({ content: 'And there?' }),
  )
})

it('resumes a run of the journal, once, under StrictMode', async () => {
  const journal = memoryJournal()
  const question = choice({ prompt: 'Which?', options: ['a', 'b'] })
  await askingAgent(question).start('Go', { journal, id: 'trip' }).settled
  const asker = askingAgent(question)

  const { result } = renderHook(() => useReAct(asker, { journal, runId: 'trip' }), { wrapper: StrictMode })
  await waitFor(() => expect(result.current.asks.length).toBe(1))

  expect(result.current).toMatchObject({ run: { id: 'trip' }, status: 'waiting' })
})

it('finds a run of this page by its id instead of resuming it', async () => {
  const journal = memoryJournal()
  const guide = talker('Hi')
  const starter = renderHook(() => useReAct(guide, { journal }))
  const run = actNow(() => starter.result.current.start('Go'))

  const { result } = renderHook(() => useReAct(guide, { journal, runId: run.id }))
  await act(() => run.settled)

  expect(result.current.run).toBe(run)
})

it('shows a failure to attach, and what is said then starts a run', async () => {
  const journal = memoryJournal()
  const guide = talker('Hi')
  const { result } = renderHook(() => useReAct(guide, { journal, runId: 'gone' }))
  await waitFor(() => expect(result.current.error).toMatchObject({ code: 'run_unknown' }))

  await act(async () => {
    await result.current.say('Go')
    await result.current.run?.settled
  })

  expect(result.current).toMatchObject({ answer: 'Hi', error: undefined })
})

it('waits for the run that it attaches to before it says anything', async () => {
  const journal = memoryJournal()
  await talker('One.').start('Go', { journal, id: 'talk' }).settled
  const guide = talker('Two.')
  const { result } = renderHook(() => useReAct(guide, { journal, runId: 'talk' }))

  await act(() => result.current.say('And?'))
  await act(async () => void (await result.current.run?.settled))

  expect(result.current).toMatchObject({ run: { id: 'talk' }, answer: 'Two.' })
})

it('shows the other run when the option names another', async () => {
  const first = talker('One.').start('Go')
  const second = talker('Two.').start('Go')
  await Promise.all([first.settled, second.settled])
  const { result, rerender } = renderHook(({ run }: { run: Run<string> }) => useReAct(guide, { run }), {
    initialProps: { run: first },
  })

  rerender({ run: second })

  expect(result.current).toMatchObject({ run: second, answer: 'Two.' })
})

it('starts with the journal of the provider', async () => {
  const journal = memoryJournal()
  const guide = talker('Hi')
  const { result } = renderHook(() => useReAct(guide), {
    wrapper: ({ children }) => <ReActProvider journal={journal}>{children}</ReActProvider>,
  })

  await act(() => result.current.start('Go').settled)

  expect(await journal.list()).toMatchObject([{ runId: result.current.run?.id, signal: 'answer' }])
})

it('gives the part of a typed answer that has arrived', async () => {
  const input = { guests: ['Ann', 'Bob'] }
  const model = scriptedModel({ calls: [{ name: 'final_answer', input }] })
  const lister = agent({ name: 'lister', model, output: answer(z.object({ guests: z.array(z.string()) })) })
  const seen: unknown[] = []
  const { result } = renderHook(() => {
    const react = useReAct(lister)
    seen.push(react.partialOutput)
    return { ...react, answer: react.answer }
  })

  await act(() => result.current.start('Go').settled)

  expect(result.current.answer).toEqual(input)
  expect(seen.at(-1)).toBeUndefined()
})
