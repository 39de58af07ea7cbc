import { expect, it } from 'vitest'
import { agents } from '../agents/index.ts'
import { originalFirst } from '../compare/originalFirst.ts'
import { createPlayground } from '../run/createPlayground.ts'
import { shownIn } from '../run/PlaygroundState.ts'
import { forkAndCompare } from './TestDialog.tsx'

it('takes the turn that differs again with the edited agent, and shows the original first', async () => {
  const playground = createPlayground()
  const offer = agents.find(({ id }) => id === 'calculator')
  if (!offer) throw new Error('There is no calculator.')
  await playground.start(offer, 'What is 15% of 84.50?')
  const conversation = shownIn(playground.store.getState())
  if (!conversation) throw new Error('No run is shown.')
  await conversation.run.settled
  const file = offer.file.replace('You answer with numbers.', 'You answer with few words.')

  await forkAndCompare(playground, { conversation, at: 1, file })

  const { compared, conversations } = playground.store.getState()
  const fork = conversations.find(({ run }) => run.id === compared?.b)
  expect(compared?.a).toBe(conversation.run.id)
  expect(fork?.file).toBe(file)
  expect(fork?.log.events[0]).toMatchObject({ forkedFrom: { runId: conversation.run.id, seq: 1 } })
  const [a, b] = [conversation.run.id, fork?.run.id ?? '']
  expect(compared?.cameFrom).toBe(b)
  playground.compare({ a: b, b: a })
  expect(playground.store.getState().compared).toEqual({ a: b, b: a, cameFrom: b })
  expect(originalFirst({ conversations }, { a: b, b: a })).toEqual({ a, b })
  expect(originalFirst({ conversations }, { a, b })).toEqual({ a, b })
})
