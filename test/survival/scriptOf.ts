/** A call of a tool, as the model makes it. */
export interface Order {
  /** `charge` may run twice with the same key, `book` may not, and `look` changes nothing. */
  readonly name: 'charge' | 'book' | 'look'
  readonly item: number
}

/** The turns of a run of 30 calls, several of them in parallel, in an order that the numbers decide. */
export function scriptOf(random: () => number): readonly (readonly Order[])[] {
  const kinds = shuffled([...repeat('charge', 12), ...repeat('book', 12), ...repeat('look', 6)], random)
  const orders = kinds.map((name, item): Order => ({ name, item }))
  const turns: Order[][] = []
  while (orders.length > 0) turns.push(orders.splice(0, [1, 1, 2, 4][Math.floor(random() * 4)]))
  return turns
}

const repeat = (name: Order['name'], times: number): Order['name'][] => Array.from({ length: times }, () => name)

const shuffled = <T>(list: readonly T[], random: () => number): T[] =>
  list
    .map((value) => ({ value, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value)
