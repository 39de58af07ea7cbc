import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
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
