import { agent, choice, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createPlayground } from '../run/createPlayground.ts'
import { PlaygroundContext } from '../run/usePlayground.ts'
import { Composer } from './Composer.tsx'

afterEach(cleanup)

/** The message box of a model that takes pictures, with one, and what it sends. */
function boxWith(file: File) {
  const playground = createPlayground({
    connection: { type: 'server', url: 'http://127.0.0.1:1234/v1', modelId: 'small' },
  })
  const send = vi.fn(async () => playground.draft(''))
  render(
    <PlaygroundContext value={{ ...playground, send }}>
      <Composer run={undefined} />
    </PlaygroundContext>,
  )
  fireEvent.change(screen.getByLabelText('Attach files', { selector: 'input' }), { target: { files: [file] } })
  const box = screen.getByRole('textbox', { name: 'Message' })
  fireEvent.change(box, { target: { value: 'What is this?' } })
  return { send, press: () => fireEvent.keyDown(box, { key: 'Enter' }) }
}

it('sends a message once, however often Enter is pressed while its files are read', async () => {
  const { send, press } = boxWith(new File(['x'], 'x.png', { type: 'image/png' }))

  press()
  press()
  await waitFor(() => expect(send).toHaveBeenCalled())
  press()

  expect(send).toHaveBeenCalledExactlyOnceWith('What is this?', [
    { type: 'text', text: 'What is this?' },
    expect.objectContaining({ filename: 'x.png' }),
  ])
})

it('says that a file cannot be read, and keeps the message', async () => {
  const gone = new File(['x'], 'x.png', { type: 'image/png' })
  gone.arrayBuffer = () => Promise.reject(new Error('It was moved.'))
  const { send, press } = boxWith(gone)

  press()

  await screen.findByText(/cannot be read any more\. Choose it again/)
  expect(send).not.toHaveBeenCalled()
  expect(screen.getByDisplayValue('What is this?')).toBeTruthy()
})

it('takes files that are dropped on it', async () => {
  boxWith(new File(['x'], 'x.png', { type: 'image/png' }))
  const dropped = new File(['y'], 'y.png', { type: 'image/png' })

  fireEvent.drop(screen.getByRole('textbox', { name: 'Message' }), {
    dataTransfer: { files: [dropped], types: ['Files'] },
  })

  expect(await screen.findByRole('button', { name: 'Remove y.png' })).toBeTruthy()
})

/** The message box of a run that asks for a train, and what its tool received. */
async function boxOfQuestion() {
  const received = vi.fn()
  const pick = tool({
    inputSchema: z.object({}),
    execute: async (_, { ask }) => received(await ask(choice({ prompt: 'Which?', options: ['07:20', '16:50'] }))),
  })
  const model = scriptedModel({ calls: [{ name: 'pick', input: {} }] }, 'Booked.')
  const run = agent({ name: 'trip', model, tools: { pick } }).start('Go')
  await run.settled
  const playground = createPlayground()
  const send = vi.fn(async () => {})
  render(
    <PlaygroundContext value={{ ...playground, send }}>
      <Composer run={run} />
    </PlaygroundContext>,
  )
  const box = screen.getByRole('textbox', { name: 'Message' })
  const type = (value: string): void => {
    fireEvent.change(box, { target: { value } })
    fireEvent.keyDown(box, { key: 'Enter' })
  }
  return { run, received, send, type }
}

it('answers the open question with what is typed', async () => {
  const { run, received, send, type } = await boxOfQuestion()

  type('the second one')

  await waitFor(() => expect(run.state.signal?.type).toBe('answer'))
  expect(received).toHaveBeenCalledExactlyOnceWith('16:50')
  expect(send).not.toHaveBeenCalled()
})

it('asks what a text is that is none of the answers, and keeps the question open until then', async () => {
  const { run, send, type } = await boxOfQuestion()

  type('the 16:50 in first class')

  await screen.findByText(/Answer with this, or send as a new message\?/)
  expect(run.state.asks).toHaveLength(1)
  expect(screen.getByDisplayValue('the 16:50 in first class')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Answer “16:50”' }))
  await waitFor(() => expect(run.state.signal?.type).toBe('answer'))
  expect(send).not.toHaveBeenCalled()
})

it('sends it as a message once the user says so', async () => {
  const { send, type } = await boxOfQuestion()

  type('Search hotels')
  fireEvent.click(await screen.findByRole('button', { name: 'Send as a new message' }))

  expect(send).toHaveBeenCalledExactlyOnceWith('Search hotels', 'Search hotels', { now: true })
})

it('asks about a message that was sent before the question came', async () => {
  const { run, received } = await boxOfQuestion()
  await act(() => run.say('16:50'))

  fireEvent.click(await screen.findByRole('button', { name: 'Answer with this' }))

  await waitFor(() => expect(run.state.signal?.type).toBe('answer'))
  expect(received).toHaveBeenCalledExactlyOnceWith('16:50')
  expect(run.state.pending).toEqual([])
})
