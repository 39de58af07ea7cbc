import { agents } from '../agents/index.ts'
import { useServer } from '../remote/useServer.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { isServed } from '../workers/Place.ts'

const offer = agents.find(({ id }) => id === 'trip')
if (!offer) throw new Error('There is no trip planner.')

/** The run that a first visitor is led through. */
export const guided = {
  offer,
  prompt: 'Find me a train from Paris to Amsterdam and book it',
}

/** Returns whether the tools of a run pay with a bank: that of this browser, or that of a server which says it has one. */
export function useHasLedger(conversation: Conversation): boolean {
  const server = useServer(conversation)
  if (conversation.offer.id !== guided.offer.id) return false
  return server ? server.type === 'there' && server.hasLedger : !isServed(conversation.place)
}
