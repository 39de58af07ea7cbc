import { fireEvent, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { keptInMemory } from '../kept/keptInMemory.ts'
import { createPlayground } from '../run/createPlayground.ts'
import { PlaygroundContext } from '../run/usePlayground.ts'
import { RunHistory } from './RunHistory.tsx'

const started = (runId: string) => ({ type: 'started', runId, agent: 'trip planner', version: '1' }) as const

it('lists a page of runs, and older ones when it is asked to', async () => {
  const kept = keptInMemory()
  for (let n = 0; n < 35; n++) {
    const stamp = { at: n < 20 ? 1 : n, iteration: 0 }
    const said = { type: 'said', by: 'user', content: `Trip ${n}`, seq: 1, ...stamp } as const
    await kept.journal.append(`r${n}`, [{ ...started(`r${n}`), seq: 0, ...stamp }, said])
  }

  render(
    <PlaygroundContext value={createPlayground({ open: async () => kept })}>
      <RunHistory />
    </PlaygroundContext>,
  )
  await screen.findByText('Trip 34')
  const before = screen.getAllByRole('link').length
  fireEvent.click(screen.getByRole('button', { name: 'Show older runs' }))
  await screen.findByText('Trip 0')

  expect(before).toBe(30)
  expect(screen.getAllByRole('link')).toHaveLength(35)
  expect(screen.getAllByText('Trip planner · unfinished')).toHaveLength(35)
  expect(screen.queryByRole('button', { name: 'Show older runs' })).toBeNull()
})
