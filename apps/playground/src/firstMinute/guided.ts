import { agents } from '../agents/index.ts'

const offer = agents.find(({ id }) => id === 'trip')
if (!offer) throw new Error('There is no trip planner.')

/** The run that a first visitor is led through. */
export const guided = {
  offer,
  prompt: 'Find me a train from Paris to Amsterdam and book it',
}
