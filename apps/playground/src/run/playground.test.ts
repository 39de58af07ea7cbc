import { expect, it } from 'vitest'
import { agents } from '../agents/index.ts'
import { createPlayground, shownIn } from './playground.ts'

const [trip, calculator] = agents

it('starts runs side by side, and shows the one it was asked to', async () => {
  const { store, start, show } = createPlayground()
  if (!trip || !calculator) throw new Error('There are fewer than two agents.')

  await start(trip, 'I need a flight to Rome')
  const first = store.getState().shown
  await start(calculator, 'What is 2 + 2?')
  show(first)

  expect(store.getState().conversations.map(({ title }) => title)).toEqual([
    'What is 2 + 2?',
    'I need a flight to Rome',
  ])
  expect(shownIn(store.getState())?.offer).toBe(trip)
})

it('goes on with a conversation when another model is chosen', async () => {
  const { store, start, send, connect } = createPlayground()
  if (!calculator) throw new Error('There is no calculator.')

  await start(calculator, 'What is 2 + 2?')
  const before = shownIn(store.getState())
  await before?.run.settled
  await connect({ type: 'demo' })
  await send('What is 3 + 3?')
  const after = shownIn(store.getState())
  await after?.run.settled

  expect(after?.run).not.toBe(before?.run)
  expect(after?.log.events.map(({ seq }) => seq)).toEqual(after?.log.events.map((_, index) => index))
  expect(after?.run.state.rest).toMatchObject({ type: 'answer', output: expect.stringContaining('6') })
})
