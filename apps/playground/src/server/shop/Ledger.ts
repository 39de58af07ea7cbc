export interface Goods {
  readonly id: string
  readonly name: string
  /** In euros. */
  readonly price: number
  readonly inStock: number
}

export interface Order {
  readonly number: number
  readonly item: string
  readonly quantity: number
  readonly name: string
  readonly delivery: string
  readonly total: number
}

/** The stock, the sales and the gift cards of the shop, for as long as the process lives. */
export class Ledger {
  readonly #orders = new Map<string, Order>()
  readonly #cards = new Map<string, number>()
  readonly goods: readonly Goods[] = [
    { id: 'mug', name: 'Enamel mug', price: 12, inStock: 40 },
    { id: 'teapot', name: 'Cast-iron teapot', price: 58, inStock: 6 },
    { id: 'kettle', name: 'Copper kettle', price: 89, inStock: 3 },
    { id: 'grinder', name: 'Hand grinder', price: 47, inStock: 11 },
  ]

  get orders(): readonly Order[] {
    return [...this.#orders.values()]
  }

  priceOf(item: string): number {
    return this.goods.find(({ id }) => id === item)?.price ?? 0
  }

  /** Books an order. A repeated operation, for example after its answer was lost, books nothing more. */
  book(operation: string, order: Omit<Order, 'number' | 'total'>): Order {
    const known = this.#orders.get(operation)
    if (known) return known
    const total = this.priceOf(order.item) * order.quantity
    const booked = { ...order, number: 100 + this.#orders.size + 1, total }
    this.#orders.set(operation, booked)
    return booked
  }

  /** Credits a gift card to the operation that asked for it. */
  credit(operation: string, euros: number): void {
    this.#cards.set(operation, euros)
  }

  creditOf(operation: string): number | undefined {
    return this.#cards.get(operation)
  }
}
