import type { Event, RunState } from '@interleave/core'
import { fold, pastRun } from '@interleave/core/observe'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { createPlayground } from '../run/createPlayground.ts'
import { createEventLog } from '../run/eventLog.ts'
import { createFinder } from '../run/finder.ts'
import { PlaygroundContext } from '../run/usePlayground.ts'
import { Conversation } from './Conversation.tsx'
import { RunHeader } from './RunHeader.tsx'

afterEach(cleanup)

/** A run in which the user has said so many things. */
function said(times: number): readonly Event[] {
  const stamp = (seq: number) => ({ seq, at: seq, iteration: 0 })
  const started = { type: 'started', runId: 'long', agent: 'a', version: '1', ...stamp(0) } as const
  const messages = Array.from({ length: times }, (_, index) => ({
    ...({ type: 'said', by: 'user', content: `Message ${index}` } as const),
    ...stamp(index + 1),
  }))
  return [started, ...messages]
}

/** The same, after a turn that has received all of it. */
function received(times: number): readonly Event[] {
  const events = said(times)
  const seq = events.length
  const model = { provider: 'test', modelId: 'a' }
  const turn = { model, parts: [], usage: fold([]).usage, ms: 0, readUntil: seq } as const
  return [...events, { type: 'thought', seq, at: seq, iteration: 1, ...turn } as unknown as Event]
}

function show(events: readonly Event[], draft?: RunState['draft']) {
  const playground = createPlayground()
  render(
    <PlaygroundContext value={playground}>
      <Conversation conversation={conversationOf(playground, events, { draft })} />
    </PlaygroundContext>,
  )
  return playground
}

function conversationOf(
  playground: ReturnType<typeof createPlayground>,
  events: readonly Event[],
  { draft, title = '' }: { draft?: RunState['draft'] | undefined; title?: string } = {},
) {
  const { offer, connection } = playground.store.getState()
  const log = createEventLog()
  log.precede(events)
  const runModel = { model: scriptedModel(), priceOf: () => undefined, change: async () => {} }
  const about = { offer, file: offer.file, connection, lacksKey: false, place: 'page', graph: undefined } as const
  const past = pastRun(events)
  const run = draft ? Object.assign(past, { state: { ...past.state, draft } }) : past
  return { ...about, run, log, runModel, finder: createFinder(), close: () => {}, kill: () => {}, title }
}

it('draws the latest messages of a long run at once, and the earlier ones after them', async () => {
  show(received(400))

  expect(screen.queryByText('Message 0')).toBeNull()
  expect(screen.getByText('Message 399')).toBeTruthy()
  await expect.poll(() => document.querySelectorAll('.message').length, { timeout: 20_000 }).toBe(400)
  expect(screen.getByText('Message 0')).toBeTruthy()
})

it('folds a long message, all of which is in the page', () => {
  const [started] = said(0)
  const text = 'A long story. '.repeat(200)
  const message = { type: 'said', by: 'user', content: text, seq: 1, at: 1, iteration: 0 } as const
  show(started ? [started, message] : [])
  const unfold = screen.getByRole('button', { name: 'Show all 2,800 characters' })
  const folded = screen.getByText(text.trim())
  const before = folded.dataset.folded

  fireEvent.click(unfold)

  expect([before, folded.dataset.folded]).toEqual(['true', 'false'])
  expect(screen.getByRole('button', { name: 'Show less' }).getAttribute('aria-expanded')).toBe('true')
})

it('draws all of a short one', () => {
  show(said(3))

  expect(screen.getByText('Message 0')).toBeTruthy()
  expect(screen.queryByText(/^Show earlier/)).toBeNull()
})

it('leaves to the queue what is said while a turn streams', () => {
  show(said(2), { iteration: 1, readUntil: 2, text: 'Streaming', reasoning: '', inputs: {}, progress: {} })

  const texts = [...document.querySelectorAll('.message')].map(({ textContent }) => textContent)

  expect(texts).toEqual([expect.stringContaining('Message 0'), expect.stringContaining('Streaming')])
  expect(texts[0]).not.toContain('Read at the next turn')
})

it('shows a call that a failed run left as interrupted, not as under way', () => {
  const [started] = said(0)
  if (!started) throw new Error('The run did not start.')
  const call = { type: 'tool-call', toolCallId: 'a', toolName: 'book', input: {} } as const
  const turn = { model: { provider: 'test', modelId: 'a' }, parts: [call], usage: fold([]).usage, ms: 0, readUntil: 0 }
  const thought = { type: 'thought', seq: 1, at: 1, iteration: 1, finishReason: 'tool-calls', ...turn } as const
  const signal = { type: 'failed', error: { code: 'journal_full', message: 'Full.', retryable: false } } as const
  const events = [started, thought]
  const playground = createPlayground()
  const conversation = conversationOf(playground, [...events, { type: 'settled', seq: 2, at: 2, iteration: 1, signal }])
  playground.store.setState({ conversations: [conversation], shown: conversation.run.id })
  render(
    <PlaygroundContext value={playground}>
      <Conversation conversation={conversation} />
    </PlaygroundContext>,
  )

  expect(screen.getByText('interrupted')).toBeTruthy()
  expect(screen.queryByText('under way')).toBeNull()
})

it('takes the focus from a pane that is not shown any more, and from nothing else', () => {
  const button = document.body.appendChild(document.createElement('button'))
  button.focus()
  show(said(1))
  const before = document.activeElement
  cleanup()
  const { choosePane } = show(said(1))
  button.style.display = 'none'
  act(() => choosePane('runs'))

  expect(before).toBe(button)
  expect(document.activeElement).toBe(screen.getByRole('log'))
  button.remove()
})

it('shows what would turn the words of a title around', () => {
  const playground = createPlayground()
  render(
    <PlaygroundContext value={playground}>
      <RunHeader conversation={conversationOf(playground, said(1), { title: 'Pay \u202e05€' })} />
    </PlaygroundContext>,
  )

  expect(screen.getByRole('heading', { name: 'Pay [U+202E]05€' }).dir).toBe('auto')
})
