import { agent, type Limits, type Run, reasonAct, type Step, tool } from '@interleave/core'
import { limit } from '@interleave/core/steps'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { faults } from '../testing/renderAsk.tsx'
import { SignalOutlet } from './SignalOutlet.tsx'

afterEach(cleanup)

const look = tool({ inputSchema: z.object({}), execute: () => 'nothing' })

async function renderLimit(limits: Step | Limits = { iterations: 1 }): Promise<Run> {
  const model = scriptedModel({ calls: [{ name: 'look', input: {} }] }, 'Done.')
  const backend = reasonAct({ limits })
  const run = agent({ name: 'looker', model, tools: { look }, backend }).start('Look')
  await run.settled
  render(<SignalOutlet run={run} />)
  return run
}

it('extends the limit by the entered amount', async () => {
  const run = await renderLimit()
  const more = screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Extend the limit by' })
  const suggested = more.value

  await userEvent.clear(more)
  await userEvent.type(more, '3')
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  await act(() => run.settled)

  expect(suggested).toBe('1')
  expect(run.state).toMatchObject({ extensions: { iterations: 3 }, signal: { type: 'answer' } })
})

it('takes no extension by nothing', async () => {
  const run = await renderLimit()
  const more = screen.getByRole<HTMLInputElement>('spinbutton')

  await userEvent.clear(more)
  await userEvent.type(more, '0')
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))

  expect(more.min).toBe('1')
  expect(more.validity.valid).toBe(false)
  expect(run.state.asks).toHaveLength(1)
})

it('finishes', async () => {
  const run = await renderLimit()

  expect(await faults()).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Finish now' }))

  expect(await act(() => run.settled)).toMatchObject({ type: 'stopped' })
  expect(screen.queryByRole('dialog')).toBe(null)
})

it('says that finishing answers, where the run has a last turn for it', async () => {
  const run = await renderLimit(limit({ iterations: 1 }, { lastTurn: 'onFinish' }))

  await userEvent.click(screen.getByRole('button', { name: 'Answer now' }))

  expect(await act(() => run.settled)).toMatchObject({ type: 'answer', output: 'Done.' })
})
