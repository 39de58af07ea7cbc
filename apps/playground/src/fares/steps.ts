import { choice, type RunState, type Step } from '@interleave/core'
import { chance, confirmationCode } from '../data/chance.ts'
import type { Connection } from '../data/connections.ts'
import { type Fare, latestSearch, watched } from './watched.ts'

const { search, looks, since, enough, wish } = watched

/** Begins another look at the fares, the first one of a new search. */
export const countLook: Step = (run) => {
  const { turn } = latestSearch(run.state)
  const isNew = turn !== search.get(run)
  search.set(run, turn)
  if (isNew) since.set(run, null)
  return looks.set(run, isNew ? 1 : looks.get(run) + 1)
}

/** Finds the cheapest train or flight of this look. */
export const lookAt =
  (means: 'train' | 'flight'): Step =>
  (run) => {
    const connections = latestSearch(run.state).connections.filter((connection) => connection.means === means)
    const fares = connections.map((connection) => ({ ...connection, price: fareNow(connection, looks.get(run)) }))
    return watched[means].set(run, cheaper(fares) ?? null)
  }

/** Decides whether to ask: after so many looks, or sooner when a fare has fallen by a tenth. */
export const compareFares =
  (most: number): Step =>
  (run) => {
    const fare = cheapest(run)
    const look = looks.get(run)
    const before = since.get(run) ?? { look: 0, price: fare?.price ?? 0 }
    since.set(run, before)
    return enough.set(run, look - before.look >= most || (fare?.price ?? 0) <= before.price * 0.9)
  }

/** Asks what to do with the cheapest fare. */
export const askWhatNow: Step = async (run) => {
  const fare = cheapest(run)
  if (!fare) return { type: 'answer', output: 'There is nothing to watch.', reason: 'completed' }
  const look = looks.get(run)
  const chosen = await run.ask(
    'what now',
    choice({
      prompt: `On the ${ordinal(look)} check, the ${wordsFor(fare)} costs €${fare.price}${comparison(fare, since.get(run))}. What now?`,
      options: [
        { value: 'book', label: 'Book it', description: wordsFor(fare), detail: `€${fare.price}` },
        { value: 'watch', label: 'Keep watching' },
        { value: 'leave', label: 'Leave it' },
      ],
    }),
  )
  since.set(run, { look, price: fare.price })
  wish.set(run, chosen)
  return chosen === 'leave' ? { type: 'answer', output: 'Nothing is booked.', reason: 'completed' } : undefined
}

/** Books the cheapest fare: the user has just chosen to. */
export const bookFare: Step = (run) => {
  const fare = cheapest(run)
  const code = confirmationCode(`${run.state.runId} ${run.state.request.seq}`)
  const output = fare ? `Booked: the ${wordsFor(fare)} for €${fare.price}. Confirmation: ${code}.` : 'Nothing to book.'
  return { type: 'answer', output, reason: 'completed' }
}

const cheaper = (fares: readonly Fare[]): Fare | undefined => fares.toSorted((a, b) => a.price - b.price)[0]

const cheapest = (run: { readonly state: RunState }): Fare | undefined =>
  cheaper([watched.train.get(run), watched.flight.get(run)].filter((fare) => fare !== null))

const wordsFor = ({ means, from, departs, to, arrives }: Fare): string =>
  `${means} from ${from} (${departs}) to ${to} (${arrives})`

function comparison({ price }: Fare, before: { price: number } | null): string {
  if (!before || before.price === price) return ''
  return `, €${Math.abs(before.price - price)} ${price < before.price ? 'less' : 'more'} than before`
}

const ordinal = (count: number): string => ordinals[count] ?? `${count}th`
const ordinals = ['', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth']

/**
 * Returns the fare of a connection at the nth look, in euros. Made up, and always the same for the same look: it varies
 * around the price.
 */
const fareNow = ({ id, price }: Pick<Connection, 'id' | 'price'>, look: number): number =>
  Math.round(price * (0.86 + chance(`fare ${id} ${look}`)() * 0.28))
