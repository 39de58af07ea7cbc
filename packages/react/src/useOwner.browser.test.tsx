import { acrossTabs } from '@interleave/connect/tabs'
import { agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { act, render, renderHook, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useOwner, useReAct } from './index.ts'

/** Two tabs of one browser: they share the journal, and the locks and channels of this process. */
function twoTabs() {
  const journal = memoryJournal()
  const described = agent({ name: 'guide', model: scriptedModel('One.', 'Two.') })
  return [acrossTabs(described, { journal }), acrossTabs(described, { journal })] as const
}

it('returns where a run executes, and renders when that changes', async () => {
  const [one, two] = twoTabs()
  const here = one.start('Go')
  await here.settled
  const there = await two.resume(here.id)
  const { result } = renderHook(() => [useOwner(here), useOwner(there)])
  const before = result.current

  await act(async () => {
    const taken = new Promise<void>((resolve) => there.subscribe(() => there.owner === 'here' && resolve()))
    here.close()
    await taken
  })

  expect(before).toEqual(['here', 'elsewhere'])
  expect(result.current[1]).toBe('here')
  there.close()
})

it('is here for a run of an agent itself, and nowhere without a run', () => {
  const run = agent({ name: 'guide', model: scriptedModel('One.') }).start('Go')

  const { result } = renderHook(() => [useOwner(run), useOwner(undefined)])

  expect(result.current).toEqual(['here', undefined])
})

it('shows a run of another tab in a component', async () => {
  const [one, two] = twoTabs()
  const run = one.start('Go')
  await run.settled
  function Guide() {
    const { answer, run: shown } = useReAct(two, { runId: run.id })
    return <p>{`${answer ?? '…'} ${useOwner(shown) ?? ''}`}</p>
  }

  render(<Guide />)

  expect(await screen.findByText('One. elsewhere')).toBeTruthy()
  run.close()
})
