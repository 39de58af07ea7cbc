import { agent, approval, type Run, tool } from '@interleave/core'
import { scratchpad } from '@interleave/core/observe'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { faults, renderRun } from '../testing/renderAsk.tsx'
import { SignalOutlet } from './SignalOutlet.tsx'

afterEach(cleanup)

const pay = tool({
  inputSchema: z.object({ to: z.string(), amount: z.number() }),
  approve: approval(),
  execute: ({ to, amount }) => `Paid ${amount} to ${to}`,
})

async function renderApproval(to = 'Ada'): Promise<Run> {
  const model = scriptedModel({ calls: [{ name: 'pay', input: { to, amount: 5 } }] }, 'Done.')
  const run = agent({ name: 'payer', model, tools: { pay } }).start('Pay')
  await renderRun(run)
  return run
}
async function observed(run: Run): Promise<unknown> {
  await act(() => run.settled)
  return scratchpad(run.state).find((entry) => entry.type === 'observation')
}
const shown = () => screen.getByRole('region', { name: 'Runs with this input' })
const change = () => userEvent.click(screen.getByRole('button', { name: 'Edit' }))
const input = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Input as JSON' })
const approve = () => userEvent.click(screen.getByRole('button', { name: 'Approve' }))

it('shows the tool and its input, and runs it as shown', async () => {
  const run = await renderApproval()

  expect(screen.getByRole('dialog').textContent).toContain('Tool paymay change something')
  expect([...shown().querySelectorAll('dt, dd')].map(({ textContent }) => textContent)).toEqual([
    'To',
    'Ada',
    'Amount',
    '5',
  ])
  expect(await faults()).toEqual([])
  await approve()
  expect(await observed(run)).toMatchObject({ output: 'Paid 5 to Ada' })
})

it('runs it with a field changed', async () => {
  const run = await renderApproval()
  await change()
  const amount = screen.getByRole('spinbutton', { name: 'Amount' })

  await userEvent.clear(amount)
  await userEvent.type(amount, '4')
  const found = await faults()
  await approve()

  expect(found).toEqual([])
  expect(await observed(run)).toMatchObject({ output: 'Paid 4 to Ada' })
})

it('runs it as it was, where the change is undone or none', async () => {
  const run = await renderApproval()
  await change()
  await userEvent.type(screen.getByRole('spinbutton', { name: 'Amount' }), '000')
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }))
  await change()

  await approve()

  expect(await observed(run)).toMatchObject({ output: 'Paid 5 to Ada' })
  expect(run.state.history.flat().find(({ type }) => type === 'turn')).not.toHaveProperty('calls.0.edited')
})

it('runs it with the input as it was changed in JSON, where the fields take their changes along', async () => {
  const run = await renderApproval()
  await change()
  await userEvent.type(screen.getByRole('textbox', { name: 'To' }), ' L')

  await userEvent.click(screen.getByRole('checkbox', { name: 'as JSON' }))
  const taken = JSON.parse((await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Input as JSON' })).value)
  fireEvent.change(input(), { target: { value: '{ "to": "Eve", "amount": 4 }' } })
  await approve()

  expect(taken).toEqual({ to: 'Ada L', amount: 5 })
  expect(await observed(run)).toMatchObject({ output: 'Paid 4 to Eve' })
})

it('refuses with a reason, also by Enter', async () => {
  const run = await renderApproval()

  await userEvent.click(screen.getByRole('button', { name: 'Refuse…' }))
  await userEvent.type(screen.getByRole('textbox', { name: /Reason/ }), 'Too much{Enter}')

  expect(await observed(run)).toMatchObject({ error: { code: 'tool_refused', message: 'Too much' } })
})

it('has the focus on the question, where no key decides, and then on the first field of the input', async () => {
  const run = await renderApproval()
  const focusedBefore = document.activeElement

  await userEvent.keyboard('{Enter} ')

  expect(focusedBefore).toBe(screen.getByRole('heading', { level: 2 }))
  expect(run.state.asks).toHaveLength(1)
  expect(await faults()).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }))
  expect(document.activeElement).toBe(screen.getAllByRole('textbox')[0])
})

it('says that a tool changes nothing', async () => {
  const look = tool({ inputSchema: z.object({}), effect: 'readOnly', approve: approval(), execute: () => 'seen' })
  const model = scriptedModel({ calls: [{ name: 'look', input: {} }] }, 'Done.')
  const run = agent({ name: 'looker', model, tools: { look } }).start('Look')
  await run.settled
  render(<SignalOutlet run={run} />)

  expect(screen.getByRole('dialog').textContent).toContain('changes nothing')
})

it('shows the error of an edited input, and does not lose it', async () => {
  const run = await renderApproval()
  await change()
  await userEvent.click(screen.getByRole('checkbox', { name: 'as JSON' }))
  await screen.findByRole('textbox', { name: 'Input as JSON' })

  fireEvent.change(input(), { target: { value: '{ "to": ' } })
  await approve()
  const syntax = await screen.findByText('The input is not valid JSON.')
  fireEvent.change(input(), { target: { value: '{ "to": "Ada", "amount": "lots" }' } })
  await approve()

  expect(syntax).toBeTruthy()
  expect(await screen.findByText(/amount/, { selector: '[role=alert] *' })).toBeTruthy()
  expect([input().value, run.state.asks.length]).toEqual(['{ "to": "Ada", "amount": "lots" }', 1])
})

it('row 16: shows hidden characters as what they are, and runs with what is shown', async () => {
  const run = await renderApproval('Ad\u202ea')

  expect(shown().querySelector('dd')?.textContent).toBe('AdU+202Ea')
  await change()
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'To' }).value).toBe('"Ad\\u202ea"')
  await approve()
  expect(await observed(run)).toMatchObject({ output: 'Paid 5 to Ad\u202ea' })
})

it('row 16: shows where an address leads, and cuts what is long', async () => {
  await renderApproval(`https://\u0430pple.com/ ${'x'.repeat(10_000)}`)
  const dd = () => shown().querySelector('dd')?.textContent ?? ''

  expect(dd()).toMatch(/ leads to xn--pple-43d.com x+… Show all \(10,019 characters\)$/)
  expect(dd().length).toBeLessThan(700)
  await userEvent.click(screen.getByRole('button', { name: /Show all/ }))
  expect(dd().length).toBeGreaterThan(10_000)
})
