import { AgentError, agent, type Run } from '@interleave/core'
import { failureSentences } from '@interleave/core/observe'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, StrictMode } from 'react'
import { afterEach, expect, it } from 'vitest'
import { faults } from '../testing/renderAsk.tsx'
import { FilePicker } from './FilePicker.tsx'
import { type UseFilesOptions, useFiles } from './useFiles.ts'

afterEach(cleanup)

const cat = () => new File([new Uint8Array([1, 2, 3])], 'cat.png', { type: 'image/png' })
const notes = () => new File(['Notes'], 'notes.txt', { type: 'text/plain' })

interface ComposerProps {
  readonly options?: UseFilesOptions
  readonly say: (content: Parameters<Run['say']>[0]) => Promise<unknown>
}
function Composer({ options, say }: ComposerProps): ReactNode {
  const files = useFiles(options)
  return (
    <form
      aria-label="Composer"
      {...files.dropProps}
      onSubmit={(event) => {
        event.preventDefault()
        void files.send('Look.', say)
      }}
    >
      <FilePicker files={files} />
      <button type="submit">Send</button>
    </form>
  )
}
const open = (options?: UseFilesOptions, say: ComposerProps['say'] = async () => {}) => {
  render(<Composer say={say} {...(options && { options })} />, { wrapper: StrictMode })
  return {
    user: userEvent.setup({ applyAccept: false }),
    form: screen.getByRole('form'),
    input: screen.getByLabelText('Attach files', { selector: 'input' }),
  }
}
const names = () =>
  screen.queryAllByRole('button', { name: /^Remove / }).map((button) => button.getAttribute('aria-label')?.slice(7))

it('takes files that are picked, dropped and pasted, and sends them with the text', async () => {
  const run = agent({ name: 'a', model: scriptedModel('One.', 'Two.') }).start('Go')
  await run.settled
  const { user, form, input } = open(undefined, (content) => run.say(content))

  await user.upload(input, cat())
  fireEvent.drop(form, { dataTransfer: { files: [notes()], types: ['Files'] } })
  fireEvent.paste(form, { clipboardData: { files: [cat()], types: ['Files'] } })
  await waitFor(() => expect(names()).toEqual(['cat.png', 'notes.txt', 'cat.png']))
  expect(await faults()).toEqual([])
  await user.click(screen.getAllByRole('button', { name: 'Remove cat.png' })[1] as HTMLElement)
  await user.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(run.state.signal).toMatchObject({ output: 'Two.' }))

  expect(names()).toEqual([])
  expect(run.state.history.flat().findLast(({ type }) => type === 'said')).toMatchObject({
    content: [
      { type: 'text', text: 'Look.' },
      { type: 'file', filename: 'cat.png', mediaType: 'image/png', data: { type: 'data', data: 'AQID' } },
      { type: 'file', filename: 'notes.txt', mediaType: 'text/plain' },
    ],
  })
})

it('says why a file is not taken, and takes the others', async () => {
  const { user, input } = open({ accept: 'image/*, .pdf', maxBytes: 4, maxFiles: 2 })
  const big = new File(['12345'], 'big.png', { type: 'image/png' })

  await user.upload(input, [notes(), cat()])
  expect(screen.getByRole('alert').textContent).toContain('“notes.txt” was not added: it is larger')
  await user.upload(input, [new File(['a'], 'a.txt', { type: 'text/plain' })])
  expect(screen.getByRole('alert').textContent).toContain('choose a file of the type image/*, .pdf')
  await user.upload(input, [big])
  expect(screen.getByRole('alert').textContent).toContain('“big.png”')
  await user.upload(input, [new File(['a'], 'A.PDF'), cat()])

  expect(screen.getByRole('alert').textContent).toContain('at most 2 files')
  expect(names()).toEqual(['cat.png', 'A.PDF'])
})

it('says which file makes a message larger than a server accepts, and sends the others', async () => {
  const { user, input } = open({ maxBytes: 1_000_000 })
  const ofSize = (name: string, size: number) => new File([new Uint8Array(size)], name)

  await user.upload(input, [ofSize('a.bin', 600_000), ofSize('b.bin', 600_000), ofSize('c.bin', 400_000)])

  expect(screen.getByRole('alert').textContent).toContain(
    '“b.bin” was not added: the files of a message have at most 1 MB together.',
  )
  expect(names()).toEqual(['a.bin', 'c.bin'])
})

const tooLarge = new AgentError('too_large', 'The body has 11 MB.')

it('gives the files back if they cannot be sent', async () => {
  const { user, input } = open(undefined, () => Promise.reject(tooLarge))
  await user.upload(input, cat())

  await user.click(screen.getByRole('button', { name: 'Send' }))
  await screen.findByText(failureSentences.too_large)

  expect(names()).toEqual(['cat.png'])
})

it('has no more files than a message takes if those that could not be sent come back', async () => {
  let fail = (_: Error): void => {}
  const sending = new Promise((_, reject) => (fail = reject))
  const { user, input } = open({ maxFiles: 2 }, () => sending)
  await user.upload(input, [cat(), notes()])
  await user.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(names()).toEqual([]))
  await user.upload(input, new File(['a'], 'late.txt'))

  fail(tooLarge)
  await screen.findByText(`${failureSentences.too_large} A message can have at most 2 files.`)

  expect(names()).toEqual(['cat.png', 'notes.txt'])
})

it('leaves text that is pasted or dragged to the page', async () => {
  const { form } = open()

  const pasted = fireEvent.paste(form, { clipboardData: { files: [cat()], types: ['text/plain', 'Files'] } })
  const dragged = fireEvent.dragOver(form, { dataTransfer: { files: [], types: ['text/plain'] } })

  expect([pasted, dragged, names()]).toEqual([true, true, []])
  await act(async () => {})
})

it('sends nothing where there is neither a text nor a file, and has the same file once', async () => {
  const sent: unknown[] = []
  const say = async (content: unknown): Promise<void> => void sent.push(content)
  const { result } = renderHook(() => useFiles())
  const photo = cat()

  expect(await result.current.send(' ', say)).toBe(false)
  expect(result.current.problem).toBe(undefined)
  act(() => {
    result.current.add([photo])
    result.current.add([photo])
  })

  await waitFor(() => expect(result.current.isPreparing).toBe(false))
  expect(result.current.files).toEqual([photo])
  expect(sent).toEqual([])
})
