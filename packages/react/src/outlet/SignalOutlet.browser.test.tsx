import { agent, approval, choice, choices, form, type Run, type TypedQuestion, text, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { cleanup, render, waitFor } from '@testing-library/react'
import axe from 'axe-core'
import { Activity, StrictMode } from 'react'
import { afterEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { z } from 'zod'
import { askingAgent } from '../testing/testSupport.tsx'
import '../styles.css'
import { SignalOutlet } from './SignalOutlet.tsx'

afterEach(cleanup)

const color = choice({ prompt: 'Which color?', options: ['Red', 'Blue', 'Green'] })
const name = text({ prompt: 'Your name?' })

/** The message field has the focus when the questions come. */
async function renderPage(
  ...questions: readonly TypedQuestion<unknown>[]
): Promise<{ run: Run; unmountOutlet: () => void }> {
  const run = askingAgent(...questions).start('Go')
  const Page = ({ hasOutlet, run }: { readonly hasOutlet: boolean; readonly run?: Run }) => (
    <main>
      <input aria-label="Message" />
      {hasOutlet && <SignalOutlet run={run} />}
    </main>
  )
  const { rerender } = render(<Page hasOutlet />, { wrapper: StrictMode })
  message().focus()
  await run.settled
  rerender(<Page hasOutlet run={run} />)
  return { run, unmountOutlet: () => rerender(<Page hasOutlet={false} />) }
}
const message = (): HTMLInputElement => page.getByLabelText('Message').element() as HTMLInputElement
const focused = (): string => {
  const { activeElement } = document
  return activeElement?.getAttribute('value') ?? activeElement?.textContent ?? ''
}
const dialog = () => page.getByRole('dialog')

it('opens modally with the focus on its title, under StrictMode', async () => {
  await renderPage(color)

  await expect.element(dialog()).toBeVisible()

  expect(focused()).toBe('Which color?')
  message().focus()
  expect(focused()).toBe('Which color?')
  expect(document.querySelector('dialog')?.matches(':modal')).toBe(true)
})

it('is answered by keyboard alone, one question after the other, and gives the focus back', async () => {
  const { run } = await renderPage(color, name)

  await userEvent.keyboard('3{Enter}')
  await expect.element(page.getByRole('dialog', { name: 'Your name?' })).toBeVisible()
  await userEvent.keyboard('Ada{Enter}')

  await waitFor(() => expect(run.state.signal).toMatchObject({ type: 'answer' }))
  await expect.element(dialog()).not.toBeInTheDocument()
  expect(document.activeElement).toBe(message())
  await userEvent.keyboard('And now')
  expect(message().value).toBe('And now')
})

it('moves between options by arrow keys', async () => {
  const { run } = await renderPage(color)

  await userEvent.keyboard('{ArrowDown}')
  const first = focused()
  await userEvent.keyboard('{ArrowDown}{Enter}')

  expect(first).toBe('Red')
  await waitFor(() => expect(run.state.signal).toMatchObject({ type: 'answer' }))
  expect(JSON.stringify(run.state.history)).toContain('Blue')
})

it('puts the question off by Escape, and opens it again from the button', async () => {
  const { run } = await renderPage(name)
  await userEvent.keyboard('Ad{Escape}')
  await expect.element(dialog()).not.toBeInTheDocument()
  const back = document.activeElement

  await userEvent.keyboard('{Tab}{Enter}{End}a{Escape}')
  const opener = focused()
  await userEvent.keyboard('{Enter}{End}!')

  expect([back, opener, run.state.asks.length]).toEqual([message(), '1 question waiting', 1])
  await expect.element(page.getByRole('textbox', { name: 'Your name?' })).toHaveValue('Ada!')
})

it('returns the focus to the page if the button that opened it was removed', async () => {
  const { run } = await renderPage(name)
  await userEvent.keyboard('{Escape}{Tab}{Enter}')
  await expect.element(dialog()).toBeVisible()

  await userEvent.keyboard('Ada{Enter}')

  await waitFor(() => expect(run.state.signal).toMatchObject({ type: 'answer' }))
  expect(document.activeElement).toBe(message())
})

it('closes and gives the focus back when the question is answered elsewhere', async () => {
  const { run } = await renderPage(name)
  await expect.element(dialog()).toBeVisible()

  await run.reply('1/tool/0/ask/0', 'Ada')

  await expect.element(dialog()).not.toBeInTheDocument()
  expect(document.activeElement).toBe(message())
})

it('gives the focus back when it leaves the page while it is open', async () => {
  const { unmountOutlet } = await renderPage(name)
  await expect.element(dialog()).toBeVisible()

  unmountOutlet()

  expect(document.activeElement).toBe(message())
})

it('is open again when the part of the page that it is in is shown again', async () => {
  const run = askingAgent(name).start('Go')
  await run.settled
  const Part = ({ mode }: { readonly mode: 'visible' | 'hidden' }) => (
    <Activity mode={mode}>
      <SignalOutlet run={run} />
    </Activity>
  )
  const { rerender } = render(<Part mode="visible" />)
  await userEvent.keyboard('Ada')

  rerender(<Part mode="hidden" />)
  await new Promise((resolve) => setTimeout(resolve, 50))
  const hidden = document.querySelector('dialog')?.open
  rerender(<Part mode="visible" />)

  await expect.element(dialog()).toBeVisible()
  expect([hidden, (document.activeElement as HTMLInputElement).value]).toEqual([false, 'Ada'])
})

it('takes a dialog that the browser closed for put off', async () => {
  await renderPage(name)
  await expect.element(dialog()).toBeVisible()

  document.querySelector('dialog')?.close()
  await userEvent.click(page.getByRole('button', { name: /^1 question waiting/ }))

  await expect.element(dialog()).toBeVisible()
})

it('reads a file', async () => {
  const schema = z.object({ data: z.string().meta({ contentMediaType: 'text/csv' }) })
  const { run } = await renderPage(form({ prompt: 'Your data?', schema }))

  await userEvent.upload(page.getByLabelText('Data'), new File(['a,b\n1,2\n'], 'sums.csv', { type: 'text/csv' }))
  await expect.element(page.getByText('sums.csv (8 bytes)')).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Reply' }))

  await waitFor(() => expect(run.state.signal).toMatchObject({ type: 'answer' }))
  expect(JSON.stringify(run.state.history)).toContain(JSON.stringify('a,b\n1,2\n'))
})

it.each(['light', 'dark'])('has no fault that axe finds, in %s', async (scheme) => {
  document.documentElement.style.colorScheme = scheme
  document.documentElement.style.background = 'Canvas'
  const schema = z.object({ day: z.iso.date(), note: z.string().optional().meta({ description: 'Anything' }) })
  const { run } = await renderPage(form({ prompt: 'When?', schema }), color)
  await expect.element(dialog()).toBeVisible()

  expect(await violations()).toEqual([])
  await run.reply('1/tool/0/ask/0', { day: '2026-12-01' })
  await expect.element(page.getByRole('dialog', { name: 'Which color?' })).toBeVisible()
  expect(await violations()).toEqual([])
})

it.each(['light', 'dark'])(
  'has no fault in an approval with hidden characters, read or changed, in %s',
  async (scheme) => {
    document.documentElement.style.colorScheme = scheme
    document.documentElement.style.background = 'Canvas'
    const pay = tool({
      inputSchema: z.object({ to: z.string(), items: z.array(z.object({ name: z.string(), price: z.number() })) }),
      approve: approval(),
      execute: () => 'Paid',
    })
    const input = { to: 'A\u202eda at https://\u0430pple.com', items: [{ name: 'Engine', price: 5 }] }
    const model = scriptedModel({ calls: [{ name: 'pay', input }] }, 'Done.')
    const run = agent({ name: 'payer', model, tools: { pay } }).start('Pay')
    await run.settled
    render(
      <main>
        <SignalOutlet run={run} />
      </main>,
    )
    await expect.element(dialog()).toBeVisible()

    expect(focused()).toContain('Allow pay')
    expect(await violations()).toEqual([])
    await userEvent.click(page.getByRole('button', { name: 'Edit', exact: true }))
    await userEvent.fill(page.getByRole('spinbutton', { name: 'Price' }), '4')
    expect(await violations()).toEqual([])
    await userEvent.click(page.getByRole('button', { name: 'Approve' }))
    await waitFor(() => expect(JSON.stringify(run.state.history)).toContain('"price":4'))
  },
)

it('shows how a long approval begins', async () => {
  const items = Array.from({ length: 60 }, (_, index) => ({ name: `Part ${index}` }))
  const pay = tool({
    inputSchema: z.object({ items: z.array(z.object({ name: z.string() })) }),
    approve: approval(),
    execute: () => 'Paid',
  })
  const model = scriptedModel({ calls: [{ name: 'pay', input: { items } }] }, 'Done.')
  const run = agent({ name: 'payer', model, tools: { pay } }).start('Pay')
  await run.settled

  render(<SignalOutlet run={run} />)
  await expect.element(dialog()).toBeVisible()

  const shown = dialog().element()
  expect([shown.scrollHeight > shown.clientHeight, shown.scrollTop]).toEqual([true, 0])
})

async function violations(): Promise<unknown> {
  await Promise.all(document.getAnimations().map(({ finished }) => finished))
  const { violations: found } = await axe.run({ include: ['[data-interleave=outlet]'] })
  return found.map(({ id, nodes }) => [id, nodes[0]?.failureSummary])
}

const thousand = Array.from({ length: 1_000 }, (_, index) => `Hotel number ${index}`)

it.each([
  ['radios', choice({ prompt: 'Which hotel?', options: thousand }), 'Hotel number 999'],
  ['boxes', choices({ prompt: 'Which hotels?', options: thousand }), ['Hotel number 999']],
  [
    'boxes of a form',
    form({ prompt: 'Which hotels?', schema: z.object({ all: z.array(z.enum(thousand)) }) }),
    { all: ['Hotel number 999'] },
  ],
] as const)(
  'shows a thousand options as %s in a box that scrolls, with the question and the buttons in sight',
  async (_, question, reply) => {
    const { run } = await renderPage(question)
    const replies: unknown[] = []
    run.subscribe((event) => event.type === 'replied' && replies.push(event.value))
    await expect.element(dialog()).toBeVisible()
    const list = dialog().element().querySelector('[data-interleave=options], [data-interleave=boxes]') as HTMLElement
    const isInSight = (element: Element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return top >= 0 && bottom <= innerHeight
    }

    expect(list.clientHeight).toBeLessThanOrEqual(Math.max(224, innerHeight / 2))
    expect(list.scrollHeight).toBeGreaterThan(10_000)
    expect(isInSight(dialog().element().querySelector('h2') as Element)).toBe(true)
    expect(isInSight(dialog().element().querySelector('[data-interleave=actions]') as Element)).toBe(true)
    const option = [...list.querySelectorAll('label')].find(({ textContent }) => textContent === 'Hotel number 999')
    await userEvent.click(option?.querySelector('input') as Element)
    await userEvent.click(dialog().element().querySelector('[data-interleave=send]') as Element)

    await waitFor(() => expect(run.state.signal).toMatchObject({ type: 'answer' }))
    expect(replies).toEqual([reply])
  },
)
