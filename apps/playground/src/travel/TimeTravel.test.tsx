import { agent, choice, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import axe from 'axe-core'
import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { Chat } from '../panels/Chat.tsx'
import { createPlayground } from '../run/createPlayground.ts'
import { createEventLog } from '../run/eventLog.ts'
import { createFinder } from '../run/finder.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { PlaygroundContext } from '../run/usePlayground.ts'

afterEach(cleanup)

const pick = tool({
  inputSchema: z.object({}),
  execute: (_, { ask }) => ask(choice({ prompt: 'Which?', options: ['a', 'b'] })),
})
const script = () => scriptedModel({ text: 'Let me ask.', calls: [{ name: 'pick', input: {} }] }, 'It is a.')

/** A page that shows a run which asked, was answered and answers; its events are 0 to 8. */
async function openChat() {
  const playground = createPlayground()
  const log = createEventLog()
  const model = script()
  const run = agent({ name: 'picker', model, tools: { pick } }).start('Pick one', { observers: [log.observer] })
  await run.settled
  await run.reply('1/tool/0/ask/0', 'a')
  await run.settled
  const { offer, connection } = playground.store.getState()
  const runModel = { model: scriptedModel(), priceOf: () => undefined, change: async () => {} }
  const about = { offer, file: offer.file, connection, lacksKey: false, place: 'page', graph: undefined } as const
  const conversation: Conversation = {
    ...{ run, log, runModel, finder: createFinder(), close: () => {}, kill: () => {}, title: 'Pick one' },
    ...about,
  }
  playground.store.setState({ conversations: [conversation], shown: run.id })
  const { container } = render(
    <PlaygroundContext value={playground}>
      <Chat />
    </PlaygroundContext>,
  )
  return { playground, run, log, model, container }
}

it('shows the conversation as it was, and asks no model for it', async () => {
  const { playground, run, log, model } = await openChat()
  const asked = log.events.findIndex(({ type }) => type === 'settled')

  await act(async () => playground.travel(asked))

  expect(await screen.findByText('Waited for your answer')).toBeTruthy()
  expect(screen.queryByLabelText('Message')).toBeNull()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.queryByText('It is a.')).toBeNull()
  expect(run.state.signal?.type).toBe('answer')
  expect(model.calls).toHaveLength(2)
})

it('goes by events with j and k, by turns with Shift, and back to now with Escape', async () => {
  const { playground, log } = await openChat()
  const last = log.events.length - 1
  const turns = log.events.flatMap(({ type, seq }) => (type === 'thought' ? [seq] : []))
  const at = () => playground.store.getState().travelledTo
  await act(async () => playground.travel(last))
  await screen.findByRole('slider', { name: 'Place in the log' })

  const places = ['k', 'j', 'k', 'ArrowLeft', 'K', 'K', 'J'].map((key) => {
    fireEvent.keyDown(document.body, { key, shiftKey: key === key.toUpperCase() && key.length === 1 })
    return at()
  })
  expect(places).toEqual([last - 1, last, last - 1, last - 2, turns[0], 0, turns[0]])
  fireEvent.keyDown(document.body, { key: 'Escape' })

  expect(at()).toBeUndefined()
})

it('gives the focus back when the bar that has it is gone', async () => {
  const { playground, log } = await openChat()
  await act(async () => playground.travel(log.events.length - 1))
  const back = await screen.findByRole('button', { name: 'Back to now' })
  back.focus()

  fireEvent.click(back)

  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Time travel' })))
})

it('leaves the keys alone in fields, and letters where they are turned off', async () => {
  const { playground } = await openChat()
  await act(async () => playground.travel(3))
  const speed = await screen.findByRole('combobox', { name: 'Speed of the replay' })

  fireEvent.keyDown(speed, { key: 'j' })
  act(() => playground.choose({ hasLetterKeys: false }))
  fireEvent.keyDown(document.body, { key: 'j' })
  expect(playground.store.getState().travelledTo).toBe(3)
  fireEvent.keyDown(document.body, { key: 'ArrowRight' })

  expect(playground.store.getState().travelledTo).toBe(4)
})

it('replays a run from its beginning to its end, and says that no model is asked', async () => {
  const { playground, log, model } = await openChat()
  await act(async () => playground.travel(log.events.length - 1))
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Speed of the replay' }), '16×')

  await userEvent.click(screen.getByRole('button', { name: 'Replay (Space)' }))

  expect(screen.getByText('Replay: no model is asked')).toBeTruthy()
  await waitFor(() => expect(playground.store.getState().travelledTo).toBe(log.events.length - 1))
  expect(screen.queryByText('Replay: no model is asked')).toBeNull()
  expect(model.calls).toHaveLength(2)
})

it('forks with another reply, says what is made again, and keeps what cannot be used', async () => {
  const { playground, log } = await openChat()
  const fork = vi.spyOn(playground, 'fork').mockResolvedValue()
  const said = log.events.findIndex(({ type }) => type === 'said')
  const replied = log.events.findIndex(({ type }) => type === 'replied')

  act(() => playground.openFork(said))
  const field = await screen.findByLabelText('What you say instead')
  await userEvent.clear(field)
  await userEvent.click(screen.getByRole('button', { name: 'Fork' }))
  expect(screen.getByRole('alert').textContent).toBe('The message has no text.')
  await act(async () => playground.openFork(replied))
  await userEvent.click(await screen.findByLabelText('b'))
  expect(screen.getByText(/1 model call .* followed/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Fork' }))

  expect(fork.mock.calls.map(([, place]) => place)).toEqual([{ at: replied, edit: { value: 'b' } }])
})

it('has nothing that axe finds, now and in the past', async () => {
  const { playground, container } = await openChat()

  expect((await axe.run(container)).violations).toEqual([])
  await act(async () => playground.travel(5))
  await screen.findByRole('slider')
  expect((await axe.run(container)).violations).toEqual([])
})
