import { agent, confirm, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { SignalOutlet } from '../outlet/SignalOutlet.tsx'
import { useReAct } from '../useReAct.ts'
import { Announcer } from './Announcer.tsx'
import { regionIn } from './News.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const answer = 'One train goes at 8. It takes 3 hours. It costs **35 euros**. Shall I book it? I wait.'

/** Records each line that is added to a live region in the page. */
function record(container: HTMLElement) {
  const lines: string[] = []
  const removed: string[] = []
  for (const host of container.querySelectorAll<HTMLElement>('div[data-interleave="news"]')) {
    new MutationObserver((changes) => {
      for (const { addedNodes, removedNodes } of changes) {
        lines.push(...[...addedNodes].map(({ textContent }) => textContent ?? ''))
        removed.push(...[...removedNodes].map(({ textContent }) => textContent ?? ''))
      }
    }).observe(regionIn(host), { childList: true })
  }
  return { lines, removed }
}

it('says each sentence of an answer once, and removes it much later', async () => {
  const talker = agent({ name: 'talker', model: scriptedModel(answer) })
  const { container } = render(<Page of={talker} />)
  const { lines, removed } = record(container)

  await act(async () => screen.getByRole('button', { name: 'Start' }).click())
  await screen.findByText('answer')
  await waitFor(() => expect(lines).toHaveLength(5))
  const early = [...removed]
  await act(() => vi.advanceTimersByTimeAsync(11_000))

  expect(lines).toEqual([
    'One train goes at 8.',
    'It takes 3 hours.',
    'It costs 35 euros.',
    'Shall I book it?',
    'I wait.',
  ])
  expect(early).toEqual([])
  expect(removed).toEqual(lines)
})

function Page({ of }: { readonly of: ReturnType<typeof agent> }) {
  const { run, say, signal } = useReAct(of)
  return (
    <>
      <button type="button" onClick={() => void say('Go')}>
        Start
      </button>
      <p>{signal?.type}</p>
      <Announcer run={run} />
    </>
  )
}

it('says nothing again where a run is shown again', async () => {
  const talker = agent({ name: 'talker', model: scriptedModel(answer) })
  const Shown = ({ isShown }: { readonly isShown: boolean }) => {
    const { run, say, signal } = useReAct(talker)
    return (
      <>
        <button type="button" onClick={() => void say('Go')}>
          Start
        </button>
        <p>{signal?.type}</p>
        {isShown && <Announcer run={run} />}
      </>
    )
  }
  const { container, rerender } = render(<Shown isShown />)
  await act(async () => screen.getByRole('button', { name: 'Start' }).click())
  await screen.findByText('answer')
  rerender(<Shown isShown={false} />)
  rerender(<Shown isShown />)
  const region = regionIn(container.querySelector('div[data-interleave="news"]') as HTMLElement)
  await act(() => vi.advanceTimersByTimeAsync(100))

  expect(region.textContent).toBe('')
})

it('says in the page what happens when a modal dialog closes', async () => {
  const ask = tool({
    inputSchema: z.object({}),
    execute: async (_: unknown, context) => String(await context.ask(confirm({ prompt: 'Sure?' }))),
  })
  const model = scriptedModel({ calls: [{ name: 'ask', input: {} }] }, 'Well.')
  const run = agent({ name: 'a', model, tools: { ask } }).start('Go')
  const { container } = render(<SignalOutlet run={run} />)
  const inside = record(await screen.findByRole('dialog', { name: 'Sure?' }))
  const all = record(container)

  await act(() => run.stop())

  await waitFor(() => expect(all.lines).toContain('Stopped.'))
  expect(inside.lines).toEqual([])
})

it('says nothing of a run that was opened', async () => {
  const run = agent({ name: 'talker', model: scriptedModel(answer) }).start('Go')
  await run.settled
  const { container } = render(<Announcer run={run} />)
  const { lines } = record(container)

  await act(() => vi.advanceTimersByTimeAsync(30_000))

  expect(lines).toEqual([])
})

it('says in a modal dialog what happens while it is open', async () => {
  let fail = (_: Error): void => {}
  const slow = tool({ inputSchema: z.object({}), execute: () => new Promise<string>((_, reject) => (fail = reject)) })
  const ask = tool({
    inputSchema: z.object({}),
    effect: 'readOnly',
    execute: async (_: unknown, context) => String(await context.ask(confirm({ prompt: 'Sure?' }))),
  })
  const calls = [
    { name: 'slow', input: {} },
    { name: 'ask', input: {} },
  ]
  const run = agent({ name: 'a', model: scriptedModel({ calls }, 'Well.'), tools: { slow, ask } }).start('Go')
  const { container } = render(<SignalOutlet run={run} />)
  const dialog = await screen.findByRole('dialog', { name: 'Sure?' })
  const all = record(container)
  const inside = record(dialog)

  await act(async () => fail(new Error('No.')))

  await waitFor(() => expect(inside.lines).toEqual([expect.stringMatching(/^slow failed: /)]))
  expect(all.lines).toEqual(inside.lines)
})

it('says that the agent works, with the tool that takes long', async () => {
  const search = tool({ inputSchema: z.object({}), execute: () => new Promise<string>(() => {}) })
  const model = scriptedModel({ calls: [{ name: 'search', input: {} }] }, 'Done.')
  const slow = agent({ name: 'a', model, tools: { search } })
  const { container } = render(<Page of={slow} />)
  const { lines } = record(container)

  await act(async () => screen.getByRole('button', { name: 'Start' }).click())
  await act(() => vi.advanceTimersByTimeAsync(70_000))

  expect(lines[0]).toBe('Working: search')
  expect(lines.slice(1)).toEqual(['Still working.', 'Still working.', 'Still working.'])
})

it('shows the page nothing of what it says', async () => {
  const talker = agent({ name: 'talker', model: scriptedModel('Done.') })
  render(<Page of={talker} />)

  await act(async () => screen.getByRole('button', { name: 'Start' }).click())
  await screen.findByText('answer')

  expect(screen.queryByText('Done.')).toBe(null)
})
