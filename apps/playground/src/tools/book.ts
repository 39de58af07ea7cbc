import { approval, tool } from '@interleave/core'
import { z } from 'zod'
import type { Payer } from '../bank/Bank.ts'
import { confirmationCode } from '../data/chance.ts'
import { offerWithId } from '../data/offers.ts'

/** Books and pays. The bank pays once per key, so a call that was interrupted may run again. */
export const bookWith = (bank?: Payer) =>
  tool({
    description: 'Books one connection or hotel that was found. The user is asked to approve it first.',
    approve: ({ id, travellers }) => approval(wordsFor(offerWithId(id), travellers)),
    effect: 'idempotent',
    inputSchema: z.object({
      id: z.string().describe('Which connection or hotel, by its id'),
      travellers: z.int().min(1).max(9).default(1).describe('How many people travel'),
    }),
    async execute({ id, travellers }, { idempotencyKey: key, runId, abortSignal }) {
      const offer = offerWithId(id)
      const total = offer.price * travellers
      await bank?.pay({ key, runId, what: offer.id, amount: total }, abortSignal)
      const confirmation = confirmationCode(key)
      const summary = `Booked: ${tripWords(offer, travellers)}. Confirmation: ${confirmation}.`
      return { summary, confirmation, booked: offer.id, total, currency: 'EUR' }
    },
  })

type Offer = ReturnType<typeof offerWithId>

/** Describes what the user pays for, since an id says nothing. */
const wordsFor = (offer: Offer, travellers: number): string => `Book ${tripWords(offer, travellers)}?`

function tripWords(offer: Offer, travellers: number): string {
  const total = `€${offer.price * travellers}`
  const people = travellers === 1 ? '1 traveller' : `${travellers} travellers`
  if ('stars' in offer) return `${offer.name} in ${offer.city} for ${people}, ${total} a night`
  return `the ${offer.means} from ${offer.from} (${offer.departs}) to ${offer.to} (${offer.arrives}) for ${people}, ${total}`
}
