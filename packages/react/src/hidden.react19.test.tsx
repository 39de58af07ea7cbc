import { agent, type Run } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { act, cleanup, render, screen } from '@testing-library/react'
import { Activity, StrictMode } from 'react'
import { afterEach, expect, it } from 'vitest'
import { useReAct } from './useReAct.ts'
import { useRunEvent } from './useRun.ts'

afterEach(cleanup)

const talker = agent({ name: 'talker', model: scriptedModel('One two three.', 'Four five six.') })
const endless = (): Run<string> =>
  agent({ name: 'talker', model: scriptedModel(() => new Promise(() => {})) }).start('Go')

interface PageProps {
  readonly mode: 'visible' | 'hidden'
  readonly run: Run<string>
  readonly onRender?: () => void
  readonly onDelta?: () => void
}
const Answer = ({ run, onRender, onDelta }: PageProps) => {
  onRender?.()
  useRunEvent(run, 'delta', () => onDelta?.())
  const { answer, draft } = useReAct(talker, { run, onUnmount: 'stop' })
  return <output>{answer ?? draft?.text ?? '…'}</output>
}
const Page = (props: PageProps) => (
  <Activity mode={props.mode}>
    <Answer {...props} />
  </Activity>
)

it('renders and receives nothing while it is hidden, and shows how far the run is when it is shown again', async () => {
  const run = talker.start('Go')
  let renders = 0
  let deltas = 0
  const props = { run, onRender: () => renders++, onDelta: () => deltas++ }
  const { rerender } = render(<Page {...props} mode="visible" />)
  await act(() => run.settled)
  rerender(<Page {...props} mode="hidden" />)
  const before = [renders, deltas]

  await act(async () => {
    await run.say('More')
    await run.settled
  })
  const hidden = [renders, deltas]
  rerender(<Page {...props} mode="visible" />)

  expect(hidden).toEqual(before)
  expect(screen.getByRole('status').textContent).toBe('Four five six.')
})

it('does not stop the run of a component that is only hidden', async () => {
  const run = endless()
  const { rerender } = render(<Page run={run} mode="visible" />, { wrapper: StrictMode })

  rerender(<Page run={run} mode="hidden" />)
  await act(() => Promise.resolve())
  rerender(<Page run={run} mode="visible" />)
  await act(() => Promise.resolve())

  expect(run.state.signal).toBe(undefined)
  await act(() => run.stop())
})

it.each(['visible', 'hidden'] as const)('stops the run of a component that is removed while it is %s', async (mode) => {
  const run = endless()
  const { rerender } = render(<Page run={run} mode="visible" />)
  rerender(<Page run={run} mode={mode} />)

  rerender(<p>Gone.</p>)

  expect(await run.settled).toMatchObject({ type: 'stopped' })
})
