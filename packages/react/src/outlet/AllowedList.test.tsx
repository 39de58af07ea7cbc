import { agent, type Run, tool } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, render, renderHook, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { Transcript } from '../transcript/Transcript.tsx'
import { useReAct } from '../useReAct.ts'
import { AllowedList } from './AllowedList.tsx'
import { faults } from './renderAsk.tsx'
import { SignalOutlet } from './SignalOutlet.tsx'

afterEach(cleanup)

const calls = [{ name: 'pay', input: { to: 'Ada', amount: 5 } }]
const payer = (approve: object) =>
  agent({
    name: 'payer',
    model: scriptedModel({ calls }, 'Once.', { calls }, 'Twice.', { calls }),
    tools: {
      pay: tool({
        inputSchema: z.object({ to: z.string(), amount: z.number() }),
        approve: { when: 'always', ...approve },
        execute: () => 'Paid.',
      }),
    },
  })

async function shown(approve: object = {}): Promise<Run> {
  const run = payer(approve).start('Pay', { journal: memoryJournal() })
  await run.settled
  render(
    <>
      <Transcript run={run} />
      <AllowedList run={run} />
      <SignalOutlet run={run} />
    </>,
    { wrapper: StrictMode },
  )
  return run
}
const next = () => screen.queryByRole('combobox', { name: 'If approved, next time' })
const options = () => [...(next()?.querySelectorAll('option') ?? [])].map(({ textContent }) => textContent)

it('allows later calls with the keyboard alone, shows that, and takes it back', async () => {
  const run = await shown()
  const user = userEvent.setup()
  expect(options()).toEqual(['Ask again', 'Allow this tool with this input', 'Allow this tool with any input'])
  expect(await faults()).toEqual([])

  await user.selectOptions(next() as HTMLElement, 'tool')
  screen.getByRole('button', { name: 'Approve' }).focus()
  await user.keyboard('{Enter}')
  await act(() => run.settled)
  await act(() => run.say('Again'))
  await waitFor(() => expect(run.state.rest).toMatchObject({ output: 'Twice.' }))

  expect(screen.getByText('done, allowed earlier')).toBeTruthy()
  expect(screen.getByRole('region', { name: 'Always allowed' }).textContent).toContain('pay with any input')
  expect(await faults()).toEqual([])
  const back = screen.getByRole('button', { name: 'Take back', description: 'pay with any input' })
  back.focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Always allowed' })).toBeNull())

  await act(() => run.say('Once more'))
  await screen.findByRole('dialog')
})

it('asks again unless the user says otherwise', async () => {
  const run = await shown()

  await userEvent.click(screen.getByRole('button', { name: 'Approve' }))

  await act(() => run.settled)
  expect(run.state.allowed).toBeUndefined()
})

it('offers what the tool lets a user allow', async () => {
  await shown({ allow: 'once' })
  expect(next()).toBeNull()
  cleanup()

  const run = await shown({ allow: 'input', allowBy: ['to'] })
  expect(options()).toEqual(['Ask again', 'Allow this tool with the same to'])
  await userEvent.selectOptions(next() as HTMLElement, 'input')
  await userEvent.click(screen.getByRole('button', { name: 'Approve' }))

  await act(() => run.settled)
  expect(screen.getByRole('region', { name: 'Always allowed' }).textContent).toContain('pay with {"to":"Ada"}')
})

it('shows why a permission cannot be taken back', async () => {
  const run = await shown()
  await userEvent.selectOptions(next() as HTMLElement, 'tool')
  await userEvent.click(screen.getByRole('button', { name: 'Approve' }))
  await act(() => run.settled)
  cleanup()
  const failing = Object.assign(Object.create(run), { disallow: () => Promise.reject(new Error('No connection.')) })
  render(<AllowedList run={failing} />)

  await userEvent.click(screen.getByRole('button', { name: 'Take back' }))

  expect((await screen.findByRole('alert')).textContent).toBe('No connection.')
})

it('gives a component of useReAct what is allowed, and takes it back', async () => {
  const run = payer({}).start('Pay')
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', { approved: true, always: 'input' })
  await run.settled
  const { result } = renderHook(() => useReAct(payer({}), { run }))
  expect(result.current.allowed).toMatchObject([{ always: 'input', ask: { tool: 'pay' } }])

  await act(() => result.current.disallow(result.current.allowed[0]?.id ?? ''))

  expect(result.current.allowed).toEqual([])
})
