import { agent, type Run, scratchpad, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/core/testing'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { faults } from './renderAsk.tsx'
import { SignalOutlet } from './SignalOutlet.tsx'

afterEach(cleanup)

const pay = tool({
  inputSchema: z.object({ to: z.string(), amount: z.number() }),
  approve: 'always',
  execute: ({ to, amount }) => `Paid ${amount} to ${to}`,
})

async function renderApproval(to = 'Ada'): Promise<Run> {
  const model = scriptedModel({ calls: [{ name: 'pay', input: { to, amount: 5 } }] }, 'Done.')
  const run = agent({ name: 'payer', model, tools: { pay } }).start('Pay')
  await run.settled
  render(<SignalOutlet run={run} />, { wrapper: StrictMode })
  return run
}
async function observed(run: Run): Promise<unknown> {
  await act(() => run.settled)
  return scratchpad(run.state).find((entry) => entry.type === 'observation')
}
const input = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: /Input/ })

it('shows the tool and its input, and runs it as shown', async () => {
  const run = await renderApproval()
  const shown = input().value

  await userEvent.click(screen.getByRole('button', { name: 'Approve' }))

  expect(JSON.parse(shown)).toEqual({ to: 'Ada', amount: 5 })
  expect(await observed(run)).toMatchObject({ output: 'Paid 5 to Ada' })
})

it('runs it with the input as it was changed', async () => {
  const run = await renderApproval()

  fireEvent.change(input(), { target: { value: '{ "to": "Ada", "amount": 4 }' } })
  await userEvent.click(screen.getByRole('button', { name: 'Approve' }))

  expect(await observed(run)).toMatchObject({ output: 'Paid 4 to Ada' })
})

it('refuses with a reason, also by Enter', async () => {
  const run = await renderApproval()

  await userEvent.type(screen.getByRole('textbox', { name: /Reason/ }), 'Too much{Enter}')

  expect(await observed(run)).toMatchObject({ error: { code: 'tool_refused', message: 'Too much' } })
})

it('has the focus on the refusal', async () => {
  await renderApproval()

  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Refuse' }))
  expect(await faults()).toEqual([])
})

it('says what is wrong with a changed input, and keeps it', async () => {
  const run = await renderApproval()

  fireEvent.change(input(), { target: { value: '{ "to": ' } })
  await userEvent.click(screen.getByRole('button', { name: 'Approve' }))
  const syntax = screen.getByRole('alert').textContent
  fireEvent.change(input(), { target: { value: '{ "to": "Ada", "amount": "lots" }' } })
  await userEvent.click(screen.getByRole('button', { name: 'Approve' }))

  expect(syntax).toBe('The input is not valid JSON.')
  expect(await screen.findByText(/amount/, { selector: '[role=alert]' })).toBeTruthy()
  expect([input().value, run.state.asks.length]).toEqual(['{ "to": "Ada", "amount": "lots" }', 1])
})

it('shows hidden characters as what they are', async () => {
  const run = await renderApproval('Ad\u202ea')

  expect(input().value).toContain('"Ad\\u202ea"')
  await userEvent.click(screen.getByRole('button', { name: 'Approve' }))
  expect(await observed(run)).toMatchObject({ output: 'Paid 5 to Ad\u202ea' })
})
