import { type Approval, agent, approval, type Run, tool } from '@interleave/core'
import { failureSentences } from '@interleave/core/observe'
import { scriptedModel } from '@interleave/testing'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { ReActProvider } from '../ReActProvider.tsx'
import { Transcript } from '../transcript/Transcript.tsx'
import type { Words } from '../words/words.tsx'
import { SignalOutlet } from './SignalOutlet.tsx'

afterEach(cleanup)

const paid: number[] = []
type Trip = { readonly travellers: number; readonly to: string }
const priced = ({ travellers }: Trip) => approval(`Book for ${travellers}, €${travellers * 54}?`)

async function renderTrip(approve: Approval | typeof priced = priced, words: Partial<Words> = {}): Promise<Run> {
  const book = tool({
    inputSchema: z.object({ travellers: z.int(), to: z.string() }),
    approve,
    execute: ({ travellers }) => paid.push(travellers * 54),
  })
  const model = scriptedModel({ calls: [{ name: 'book', input: { travellers: 1, to: 'ann' } }] }, 'Done.')
  const run = agent({ name: 'planner', model, tools: { book } }).start('Book')
  await run.settled
  render(
    <ReActProvider words={words}>
      <Transcript run={run} />
      <SignalOutlet run={run} />
    </ReActProvider>,
  )
  return run
}
const heading = () => screen.getByRole('heading', { level: 2 })
const neighbors = () => document.querySelector('[data-interleave="new-prompt"]')?.textContent
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
async function enter(label: string, value: string): Promise<void> {
  const field = screen.getByLabelText(label)
  await userEvent.clear(field)
  await userEvent.type(field, value)
}

it('shows what is approved next to the button, while the user edits, and in the transcript', async () => {
  const run = await renderTrip()
  expect(heading().textContent).toBe('Book for 1, €54?')
  await press('Edit')

  await enter('Travellers', '2')
  await waitFor(() => expect(neighbors()).toBe('Your change makes it: Book for 2, €108?'))
  expect(heading().textContent).toBe('Book for 1, €54? Book for 2, €108?')
  expect(heading().querySelector('del')?.textContent).toBe('Book for 1, €54?')
  expect(run.log.filter(({ type }) => type === 'replied')).toEqual([])
  await press('Approve')
  await waitFor(() => expect(run.state.signal?.type).toBe('answer'))

  expect(paid).toEqual([108])
  const list = screen.getByRole('list', { name: 'Conversation' })
  expect(list.textContent).toContain('Book for 1, €54? Book for 2, €108? Approved with Travellers: 1 → 2')
})

it('goes back to the question when the edit is undone, or discarded', async () => {
  await renderTrip()
  await press('Edit')
  await enter('Travellers', '3')
  await waitFor(() => expect(neighbors()).toContain('€162'))

  await enter('Travellers', '1')
  await waitFor(() => expect(neighbors()).toBe(''))
  await enter('Travellers', '4')
  await waitFor(() => expect(neighbors()).toContain('€216'))
  await press('Discard')

  await waitFor(() => expect(heading().textContent).toBe('Book for 1, €54?'))
})

it('shows no other prompt in the words of the page where it is the same', async () => {
  const run = await renderTrip(approval(), { allowTool: '{tool} erlauben?' })
  await press('Edit')
  await enter('To', 'eve')
  await new Promise((resolve) => setTimeout(resolve))

  expect(heading().textContent).toBe('book erlauben?')
  await run.stop()
})

it('names what was changed where the question does not', async () => {
  const run = await renderTrip(approval())
  await press('Edit')
  await enter('To', 'eve')
  await press('Approve')
  await waitFor(() => expect(run.state.signal?.type).toBe('answer'))

  expect(screen.getByRole('list', { name: 'Conversation' }).textContent).toContain(
    'Allow book? Approved with To: ann → eve',
  )
})

/** The replies that the page sends. */
function repliesOf(run: Run): unknown[] {
  const sent: unknown[] = []
  const { reply } = run
  run.reply = (ask, value) => {
    sent.push(value)
    return reply.call(run, ask, value)
  }
  return sent
}

it('holds back an approval that comes before the prompt of the edit, and shows that prompt', async () => {
  const run = await renderTrip()
  const before = paid.length
  await press('Edit')

  const field = screen.getByLabelText('Travellers')
  await userEvent.clear(field)
  await userEvent.type(field, '5')
  fireEvent.click(screen.getByRole('button', { name: 'Approve' }))
  await waitFor(() => expect(neighbors()).toBe('Your change makes it: Book for 5, €270?'))
  const problem = screen.getByRole('alert').textContent
  const paidThen = paid.slice(before)
  await press('Approve')
  await waitFor(() => expect(run.state.signal?.type).toBe('answer'))

  expect(problem).toBe(failureSentences.approval_changed)
  expect(paidThen).toEqual([])
  expect(paid.slice(before)).toEqual([270])
})

it('asks for a prompt once the user has typed, and not again for the same input', async () => {
  const run = await renderTrip()
  const sent = repliesOf(run)
  await press('Edit')

  await enter('Travellers', '1234')
  await waitFor(() => expect(neighbors()).toContain('1234'))
  await userEvent.click(screen.getByLabelText('To'))
  await userEvent.click(screen.getByLabelText('Travellers'))
  await new Promise((resolve) => setTimeout(resolve))

  expect(sent).toEqual([{ preview: { travellers: 1234, to: 'ann' } }])
  await run.stop()
})
