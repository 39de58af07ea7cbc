import { agent, approval, choice, confirm, type Run, type TypedQuestion, text, tool } from '@interleave/core'
import { deferred } from '@interleave/core/internal'
import { scriptedModel } from '@interleave/testing'
import { cleanup, render, waitFor } from '@testing-library/react'
import axe from 'axe-core'
import type { ReactElement } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { z } from 'zod'
import { askingAgent } from '../testing/testSupport.tsx'
import '../styles.css'
import { SignalOutlet } from './SignalOutlet.tsx'

afterEach(() => {
  vi.restoreAllMocks()
  cleanup()
})

const train = choice({
  prompt: 'Which train?',
  options: [
    { value: 'A', label: '07:20 → 10:40', description: 'direct', detail: '€54', badge: 'Cheapest' },
    { value: 'B', label: '11:05 → 14:25', detail: '€71' },
  ],
})
const name = text({ prompt: 'Your name?' })
const dialog = () => page.getByRole('dialog')
const message = () => page.getByLabelText('Message')
/** Holds the end of the time in which a question takes no clicks, until it is called. */
function holdOpening(): () => void {
  const held: (() => void)[] = []
  const { setTimeout: wait } = window
  vi.spyOn(window, 'setTimeout').mockImplementation(((end: () => void, ms = 0) =>
    ms === 400 ? held.push(end) : wait(end, ms)) as typeof window.setTimeout)
  return () => {
    for (const end of held) end()
  }
}

/** A page with a message box below the outlet. */
const Page = ({ run }: { readonly run?: Run }) => (
  <main>
    <SignalOutlet run={run} docked />
    <input aria-label="Message" />
  </main>
)

async function renderDocked(...questions: readonly TypedQuestion<unknown>[]): Promise<Run> {
  const run = askingAgent(...questions).start('Go')
  const { rerender } = render(<Page />)
  message().element().focus()
  await run.settled
  rerender(<Page run={run} />)
  return run
}

async function renderApproval(): Promise<Run> {
  const pay = tool({ inputSchema: z.object({ to: z.string() }), approve: approval(), execute: () => 'Paid' })
  const model = scriptedModel({ calls: [{ name: 'pay', input: { to: 'Ada' } }] }, 'Done.')
  const run = agent({ name: 'payer', model, tools: { pay } }).start('Pay')
  await run.settled
  render(<SignalOutlet run={run} />)
  await expect.element(dialog()).toBeVisible()
  return run
}

it('is a card of the page, which stays usable, and is answered by keyboard', async () => {
  const run = await renderDocked(train, name)
  await expect.element(dialog()).toBeVisible()
  const isModal = document.querySelector('dialog')?.matches(':modal')

  await userEvent.keyboard('2{Enter}')
  await expect.element(page.getByRole('textbox', { name: 'Your name?' })).toHaveFocus()
  await userEvent.fill(message(), 'By the way')
  await userEvent.fill(page.getByRole('textbox', { name: 'Your name?' }), 'Ada')
  await userEvent.keyboard('{Enter}')

  await waitFor(() => expect(run.state.signal).toMatchObject({ type: 'answer' }))
  expect(isModal).toBe(false)
  expect(JSON.stringify(run.state.history)).toContain('"B"')
  await expect.element(message()).toHaveFocus()
})

it('leaves the focus to a user who is typing, announces the question, and takes the focus when it is called', async () => {
  const run = askingAgent(name).start('Go')
  await run.settled
  const { rerender } = render(<Page />)
  await userEvent.fill(message(), 'By the w')

  rerender(<Page run={run} />)
  await expect.element(dialog()).toBeVisible()
  await userEvent.keyboard('ay')
  const typed = (message().element() as HTMLInputElement).value
  await expect.poll(() => page.getByRole('status').element().textContent).toContain('Your name?')
  await userEvent.keyboard('{Control>}.{/Control}')

  expect(typed).toBe('By the way')
  await expect.element(page.getByRole('textbox', { name: 'Your name?' })).toHaveFocus()
})

it('gives what a user begins to type as it appears back to the field it was meant for', async () => {
  holdOpening()
  const shortcut = ({ target }: KeyboardEvent) => void targets.add(target)
  const targets = new Set<unknown>()
  document.addEventListener('keydown', shortcut)
  await renderDocked(name)
  await expect.element(page.getByRole('textbox', { name: 'Your name?' })).toHaveFocus()

  await userEvent.keyboard('By the way')
  document.removeEventListener('keydown', shortcut)

  expect([...targets]).toEqual([message().element()])
  await expect.element(message()).toHaveValue('By the way')
  await expect.element(page.getByRole('textbox', { name: 'Your name?' })).toHaveValue('')
})

it('takes nothing of what a user types into a question that another one replaces, such as by an answer elsewhere', async () => {
  const run = await renderDocked(name, text({ prompt: 'Your room?' }))
  await expect.element(dialog()).not.toHaveAttribute('data-opening')
  await userEvent.type(page.getByRole('textbox', { name: 'Your name?' }), 'Ada Love')

  await run.reply('1/tool/0/ask/0', 'Ada')
  const room = page.getByRole('textbox', { name: 'Your room?' })
  await expect.element(room).toBeVisible()
  await userEvent.keyboard('lace, 2')

  await expect.element(room).toHaveValue('')
  await expect.element(page.getByRole('heading', { name: 'Your room?' })).toHaveFocus()
  await userEvent.keyboard('{Tab}')
  await expect.element(room).toHaveFocus()
})

it.each<[string, ReactElement, string]>([
  ['a date that is not whole yet', <input key="1" type="date" aria-label="Field" />, '12'],
  ['a document in a frame', <iframe key="2" title="Field" srcDoc="<body contenteditable></body>" />, ''],
])('leaves the focus in %s', async (_, field, keys) => {
  const run = askingAgent(name).start('Go')
  await run.settled
  const Form = ({ isOn }: { readonly isOn: boolean }) => (
    <main>
      <SignalOutlet run={isOn ? run : undefined} />
      {field}
    </main>
  )
  const { rerender } = render(<Form isOn={false} />)
  const element = document.querySelector<HTMLElement>('[aria-label="Field"], [title="Field"]')
  element?.focus()
  if (keys) await userEvent.keyboard(keys)

  rerender(<Form isOn />)

  await expect.element(page.getByRole('button', { name: /^1 question waiting/ })).toBeVisible()
  expect(document.querySelector('dialog')?.open).toBe(false)
  expect(document.activeElement).toBe(element)
})

it('leaves the focus where it is when another question arrives behind the one that is shown', async () => {
  const first = deferred<void>()
  const wait = tool({ inputSchema: z.object({}), execute: (_, { ask }) => first.promise.then(() => ask(name)) })
  const now = tool({ inputSchema: z.object({}), execute: (_, { ask }) => ask(train) })
  const model = scriptedModel(
    {
      calls: [
        { name: 'now', input: {} },
        { name: 'wait', input: {} },
      ],
    },
    'Done.',
  )
  const run = agent({ name: 'asker', model, tools: { now, wait } }).start('Go')
  const { rerender } = render(<Page />)
  await userEvent.fill(message(), 'By the way')
  rerender(<Page run={run} />)
  await expect.element(dialog()).toBeVisible()

  await userEvent.clear(message())
  first.resolve()
  await expect.element(page.getByText('Question 1 of 2')).toBeVisible()
  await userEvent.keyboard('{Shift}')

  expect(document.activeElement).toBe(message().element())
})

it('is put off by Escape, gives the focus back, and comes again with what was typed', async () => {
  await renderDocked(name)
  await expect.element(dialog()).toBeVisible()
  await expect.element(dialog()).not.toHaveAttribute('data-opening')

  await userEvent.keyboard('Ad{Escape}')
  await expect.element(dialog()).not.toBeInTheDocument()
  await expect.element(message()).toHaveFocus()
  await userEvent.click(page.getByRole('button', { name: /^1 question waiting/ }))
  await userEvent.keyboard('{End}a')

  await expect.element(page.getByRole('textbox', { name: 'Your name?' })).toHaveValue('Ada')
})

it('becomes a modal while it is open, and a card again', async () => {
  const run = askingAgent(name).start('Go')
  await run.settled
  const { rerender } = render(<SignalOutlet run={run} docked />)
  const isModal = () => document.querySelector('dialog')?.matches(':modal')
  await userEvent.keyboard('Ad')

  rerender(<SignalOutlet run={run} docked={false} />)
  await expect.poll(isModal).toBe(true)
  rerender(<SignalOutlet run={run} docked />)

  await expect.poll(isModal).toBe(false)
  await expect.element(page.getByRole('textbox', { name: 'Your name?' })).toHaveValue('Ad')
})

it('shows the line, the badge and the fact of an option, and describes the option with them', async () => {
  await renderDocked(train)

  await expect
    .element(page.getByRole('radio', { name: '07:20 → 10:40' }))
    .toHaveAccessibleDescription('Cheapest direct €54')
  const { violations } = await axe.run({ include: ['[data-interleave=outlet]'] })
  expect(violations.map(({ id, nodes }) => [id, nodes[0]?.failureSummary])).toEqual([])
})

it('aligns a badge that has no room next to its label with the label', async () => {
  await page.viewport(260, 600)
  await renderDocked(train)
  const label = page.getByText('07:20 → 10:40').element().getBoundingClientRect()
  const badge = document.querySelector('[data-interleave="badge"]')?.getBoundingClientRect()

  expect(badge?.top).toBeGreaterThan(label.bottom)
  expect(badge?.left).toBeCloseTo(label.left, 0)
  await page.viewport(800, 600)
})

it('is no wider than a narrow page, whatever the options are', async () => {
  await page.viewport(320, 600)
  const long = 'Donaudampfschifffahrtsgesellschaft'.repeat(3)
  const options = [{ value: 'A', label: long, description: long, detail: long, badge: long }, long.toUpperCase()]
  await renderDocked(choice({ prompt: long, options }), name)
  const card = dialog().element()

  expect(card.scrollWidth).toBe(card.clientWidth)
  const asker = document.querySelector('[data-interleave="origin"]')?.getBoundingClientRect()
  expect(asker?.width).toBeGreaterThan(100)
  await page.viewport(800, 600)
})

it('takes no click on a button before the question could be read', async () => {
  const endOpening = holdOpening()
  const run = await renderApproval()
  const approve = page.getByRole('button', { name: 'Approve' })

  // A user does not wait until an element takes clicks.
  await userEvent.click(approve, { force: true })
  const open = run.state.asks.length
  endOpening()

  expect(open).toBe(1)
  await userEvent.click(approve)
  await waitFor(() => expect(JSON.stringify(run.state.history)).toContain('Paid'))
})

it('takes no Enter on a button before the question could be read', async () => {
  const endOpening = holdOpening()
  const run = askingAgent(confirm({ prompt: 'Pay?' })).start('Go')
  await run.settled
  render(<SignalOutlet run={run} />)
  await expect.element(dialog()).toBeVisible()

  await userEvent.keyboard('{Tab}{Enter}')
  const open = run.state.asks.length
  endOpening()

  expect(open).toBe(1)
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(run.state.signal).toMatchObject({ type: 'answer' }))
})

it('refuses in two steps, and comes back from the first', async () => {
  const run = await renderApproval()
  const buttons = () => [...document.querySelectorAll('[data-interleave=actions] button')].map((it) => it.textContent)
  const first = buttons()

  await userEvent.click(page.getByRole('button', { name: 'Refuse…' }))
  const second = buttons()
  await expect.element(page.getByRole('textbox', { name: /Reason/ })).toHaveFocus()
  await userEvent.click(page.getByRole('button', { name: 'Back' }))
  await expect.element(page.getByRole('button', { name: 'Refuse…' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await userEvent.keyboard('Too much{Enter}')

  expect([first, second]).toEqual([
    ['Refuse…', 'Approve'],
    ['Back', 'Refuse'],
  ])
  await waitFor(() => expect(JSON.stringify(run.state.history)).toContain('Too much'))
})
