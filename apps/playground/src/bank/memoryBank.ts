import { type Bank, entered, type Payment, pause } from './Bank.ts'

export interface MemoryBankOptions {
  /** The milliseconds until the bank answers. */
  readonly answerMs?: number
  readonly now?: () => number
}

/** A bank whose ledger lasts as long as the page. */
export function memoryBank({ answerMs = 0, now = Date.now }: MemoryBankOptions = {}): Bank {
  const ledger = new Map<string, Payment>()
  const watchers = new Set<() => void>()
  return {
    async pay(order, signal) {
      const payment = entered(order, ledger.get(order.key), now())
      ledger.set(order.key, payment)
      for (const watcher of watchers) watcher()
      if (payment.asked === 1) await pause(answerMs, signal)
      return payment
    },
    paymentsOf: async (runId) => [...ledger.values()].filter((payment) => payment.runId === runId),
    watch(onChange) {
      watchers.add(onChange)
      return () => void watchers.delete(onChange)
    },
  }
}
