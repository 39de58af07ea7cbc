import { tool } from '@interleave/core'
import { z } from 'zod'
import { confirmationCode } from '../data/confirmationCode.ts'
import { offerWithId } from '../data/offers.ts'

export const book = tool({
  description: 'Books one connection or hotel that was found. The user is asked to approve it first.',
  approve: ({ id, travellers }) => wordsFor(offerWithId(id), travellers),
  effect: 'once',
  inputSchema: z.object({
    id: z.string().describe('Which connection or hotel, by its id'),
    travellers: z.int().min(1).max(9).default(1).describe('How many people travel'),
  }),
  execute: ({ id, travellers }, { idempotencyKey }) => {
    const offer = offerWithId(id)
    return {
      confirmation: confirmationCode(idempotencyKey),
      booked: offer.id,
      total: offer.price * travellers,
      currency: 'EUR',
    }
  },
})

/** What the user is asked to pay for, in plain words: an id says nothing. */
function wordsFor(offer: ReturnType<typeof offerWithId>, travellers: number): string {
  const total = `€${offer.price * travellers}`
  const people = travellers === 1 ? '1 traveller' : `${travellers} travellers`
  if ('stars' in offer) return `Book ${offer.name} in ${offer.city} for ${people}, ${total} a night?`
  return `Book the ${offer.means} from ${offer.from} (${offer.departs}) to ${offer.to} (${offer.arrives}) for ${people}, ${total}?`
}
