import { agent, confirm, type ToolContext, type TypedQuestion, text, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { renderAsk } from '../testing/renderAsk.tsx'
import { askingAgent } from '../testing/testSupport.tsx'
import { SignalOutlet } from './SignalOutlet.tsx'

afterEach(cleanup)

const name = text({ prompt: 'Your name?' })
const town = text({ prompt: 'Your town?' })
const news = () => screen.getByRole('status').textContent

async function askedRun(...questions: readonly TypedQuestion<unknown>[]) {
  const run = askingAgent(...questions).start('Go')
  await run.settled
  return run
}

it('takes another run for no answer to the question of the one before', async () => {
  const [first, second] = [await askedRun(name), await askedRun()]
  const { rerender } = render(<SignalOutlet run={first} />)

  rerender(<SignalOutlet run={second} />)
  const other = news()
  rerender(<SignalOutlet run={undefined} />)

  expect([other, news()]).toEqual(['', ''])
})

it('says that a question of this run was answered elsewhere, whatever was answered in another one', async () => {
  const [first, second] = [await askedRun(name), await askedRun(name)]
  const { rerender } = render(<SignalOutlet run={first} />)
  await userEvent.keyboard('Ada{Enter}')
  await act(() => first.settled)
  rerender(<SignalOutlet run={second} />)

  await act(() => second.reply('1/tool/0/ask/0', 'Bo'))

  expect(news()).toBe('The question was answered elsewhere.')
})

it('says that a question was answered elsewhere after a reply that was refused here', async () => {
  const { run, user } = await renderAsk(text({ prompt: 'A long name?', minLength: 3 }), town)
  screen.getByRole<HTMLInputElement>('textbox').removeAttribute('minlength')
  await user.keyboard('A{Enter}')
  await screen.findByText(/at least/i)

  await act(() => run.reply('1/tool/0/ask/0', 'Ada'))

  const dialog = screen.getByRole('dialog')
  const texts = screen.getAllByRole('status').map((region) => [dialog.contains(region), region.textContent])
  // Nothing outside of a modal dialog is read.
  expect(texts).toEqual([
    [false, ''],
    [true, 'The question was answered elsewhere. Here is the next one.'],
  ])
})

it('does not say that a question was answered elsewhere after it was sent twice here', async () => {
  const run = await askedRun(confirm({ prompt: 'Pay?' }))
  render(<SignalOutlet run={run} />)
  const yes = screen.getByRole('button', { name: 'Yes' })

  act(() => {
    fireEvent.click(yes)
    fireEvent.click(yes)
  })
  await act(() => run.settled)

  expect(run.state.signal).toMatchObject({ type: 'answer' })
  expect(news()).toBe('')
})

it('does not say that a question was answered when the run was stopped', async () => {
  const { run } = await renderAsk(name)

  await act(() => run.stop())

  expect(news()).toBe('The question is no longer open.')
})

it('does not say that a question was answered when the tool that asks it is done without it', async () => {
  let finish = (): void => {}
  const isDone = new Promise<void>((resolve) => {
    finish = resolve
  })
  const execute = async (_: unknown, context: ToolContext): Promise<string> => {
    context.ask(name).catch(() => {})
    await isDone
    return 'Never mind.'
  }
  const model = scriptedModel({ calls: [{ name: 'ask', input: {} }] }, 'Done.')
  const tools = { ask: tool({ inputSchema: z.object({}), execute }) }
  const run = agent({ name: 'asker', model, tools }).start('Go')
  render(<SignalOutlet run={run} />)
  await screen.findByRole('dialog', { name: 'Your name?' })

  finish()
  await act(() => run.settled)

  await waitFor(() => expect(news()).toBe('The question is no longer open.'))
})
