import { createRandom } from './createRandom.ts'

/** The calls of the model: `charge` may run twice with the same key, `book` may not, `look` changes nothing, and `choose` asks. */
export interface Order {
  readonly name: 'charge' | 'book' | 'look' | 'choose'
  readonly item: number
}

/** The turns of a run of so many calls, several of them side by side, in an order that the seed decides. One of them asks. */
export function shopScript(seed: number, calls: number): readonly (readonly Order[])[] {
  const random = createRandom(seed)
  const kinds = Array.from({ length: calls - 1 }, () => kind(random()))
  kinds.splice(Math.floor(random() * calls), 0, 'choose')
  const orders = kinds.map((name, item): Order => ({ name, item }))
  const turns: Order[][] = []
  while (orders.length > 0) turns.push(orders.splice(0, [1, 1, 2, 4][Math.floor(random() * 4)]))
  return turns
}

const kind = (number: number): Order['name'] => (number < 0.4 ? 'charge' : number < 0.8 ? 'book' : 'look')
