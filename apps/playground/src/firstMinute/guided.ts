import { agents } from '../agents/index.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { isServed } from '../workers/Place.ts'

const offer = agents.find(({ id }) => id === 'trip')
if (!offer) throw new Error('There is no trip planner.')

/** The run that a first visitor is led through. */
export const guided = {
  offer,
  prompt: 'Find me a train from Paris to Amsterdam and book it',
}

/** Returns true if the tools of a run pay with the bank of this browser. Those of a server do not. */
export const hasLedger = ({ offer: { id }, place }: Pick<Conversation, 'offer' | 'place'>): boolean =>
  id === offer.id && !isServed(place)
