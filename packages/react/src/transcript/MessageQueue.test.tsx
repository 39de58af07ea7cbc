import { agent } from '@interleave/core'
import { manualModel } from '@interleave/test-kit/manualModel'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { faults } from '../outlet/renderAsk.tsx'
import { MessageQueue } from './MessageQueue.tsx'

afterEach(cleanup)

async function busy() {
  const model = manualModel()
  const run = agent({ name: 'a', model }).start('Go')
  await model.called(1)
  model.say('One')
  render(<MessageQueue run={run} />)
  await act(async () => {
    await run.say('Second')
    await run.say('Third')
  })
  await screen.findByText('Third')
  return { model, run, user: userEvent.setup() }
}
const waitingOf = () => screen.queryAllByRole('listitem').map((item) => item.querySelector('p')?.textContent)

it('lets a user edit and withdraw messages that wait, with the keyboard alone', async () => {
  const { run, user } = await busy()
  expect(await faults()).toEqual([])

  await user.tab()
  await user.keyboard('{Enter}')
  await user.keyboard('{Control>}a{/Control}Better{Enter}')
  await waitFor(() => expect(waitingOf()).toEqual(['Third', 'Better']))
  await user.click(screen.getAllByRole('button', { name: 'Withdraw' })[0] as HTMLElement)
  await waitFor(() => expect(waitingOf()).toEqual(['Better']))

  expect(run.state.pending.map(({ content }) => content)).toEqual(['Go', 'Better'])
  await act(() => run.stop())
})

it('keeps a message whose edit is cancelled, and sends one now', async () => {
  const { model, run, user } = await busy()

  await user.click(screen.getAllByRole('button', { name: 'Edit' })[0] as HTMLElement)
  await user.keyboard('!{Escape}')
  expect(waitingOf()).toEqual(['Second', 'Third'])
  await user.click(screen.getAllByRole('button', { name: 'Send now' })[0] as HTMLElement)

  await act(() => model.called(2))
  await waitFor(() => expect(waitingOf()).toEqual([]))
  expect(JSON.stringify(model.calls[1]?.prompt)).toMatch(/Go.*Third.*Second/)
  await act(() => run.stop())
})

it('keeps the text of an edit if the model takes the message meanwhile', async () => {
  const { model, run, user } = await busy()
  await user.click(screen.getAllByRole('button', { name: 'Edit' })[0] as HTMLElement)
  await user.keyboard('{Control>}a{/Control}Instead')

  model.end()
  await act(() => model.called(2))
  await screen.findByText('The model has the message already.')
  await user.click(screen.getByRole('button', { name: 'Send again' }))

  await waitFor(() => expect(waitingOf()).toEqual(['Instead']))
  await act(() => run.stop())
})
