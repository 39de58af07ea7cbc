import { agent } from '@interleave/core'
import { exportRun, importRun, memoryJournal } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { faults } from '../testing/renderAsk.tsx'
import { SignalOutlet } from './SignalOutlet.tsx'

afterEach(cleanup)

/** A run that worked when it was exported, opened from its file. */
async function opened() {
  const model = scriptedModel('Hello.')
  const guide = agent({ name: 'guide', model })
  const working = agent({ name: 'guide', model: scriptedModel(() => new Promise(() => {})) }).start('Go')
  const journal = memoryJournal()
  const id = await importRun(await exportRun(working), { journal })
  return { model, run: await guide.resume(id, { journal }) }
}

it('asks whether to continue a run that was opened from a file', async () => {
  const { run, model } = await opened()
  render(<SignalOutlet run={run} />)
  const told = screen.getByText('Opened from a file. Continue here?')
  const found = await faults()
  const before = model.calls.length

  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  await act(() => run.settled)

  expect(told).toBeDefined()
  expect(found).toEqual([])
  expect(before).toBe(0)
  expect(run.state.signal).toMatchObject({ output: 'Hello.' })
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Continue' })).toBe(null))
})

it('leaves it to an app that shows it itself', async () => {
  const { run } = await opened()

  render(<SignalOutlet run={run} failures={false} />)

  expect(screen.queryByText(/Opened from a file/)).toBe(null)
})
