import { beforeAll, expect, it } from 'vitest'
import { agents } from '../agents/index.ts'
import { createPlayground } from '../run/createPlayground.ts'
import { type Conversation, shownIn } from '../run/PlaygroundState.ts'
import { pastConversation } from './pastConversation.ts'

async function calculated() {
  const { store, start } = createPlayground()
  const offer = agents.find(({ id }) => id === 'calculator')
  if (!offer) throw new Error('There is no calculator.')
  await start(offer, 'What is 2 + 2?')
  const conversation = shownIn(store.getState())
  if (!conversation) throw new Error('No run is shown.')
  await conversation.run.settled
  return conversation
}

let live: Conversation
// The demo planner takes its time.
beforeAll(async () => {
  live = await calculated()
})

it('has the run and the log of a conversation as they were after an event', () => {
  const past = pastConversation(live, 1)

  expect(past.log.events.map(({ type }) => type)).toEqual(['started', 'said'])
  expect(past.run.state).toMatchObject({ seq: 2, iteration: 0 })
  expect(past).toMatchObject({ title: live.title, past: { at: 1, live } })
  expect(pastConversation(live, 1)).toBe(past)
  expect(pastConversation(live, 2)).not.toBe(past)
})

it('is the conversation as it is where there is no such event', () => {
  expect(pastConversation(live, 99)).toBe(live)
})
