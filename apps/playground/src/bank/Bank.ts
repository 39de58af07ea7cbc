/** A payment that a tool asks for. */
export interface Order {
  /** The idempotency key of the call. The bank pays once per key. */
  readonly key: string
  readonly runId: string
  readonly what: string
  /** In euros. */
  readonly amount: number
}

/** A line of the bank's ledger. */
export interface Payment extends Order {
  /** The time of the payment, in milliseconds since the epoch. */
  readonly at: number
  /** The number of requests for it. */
  readonly asked: number
}

/** The milliseconds until a bank answers the first request for a payment: no visitor is too slow to kill the run meanwhile. No limit of a page is as long, which tells them apart in tests. */
export const answerMs = 29_500

/** Returns the time until which a bank waits with its answer, if it has not been asked again. */
export const answersAt = ({ at, asked }: Payment): number => (asked === 1 ? at + answerMs : at)

/** A made-up bank, as tools see it. Its ledger is independent of the logs of runs. */
export interface Payer {
  /** Pays, unless this key was paid before. Resolves with the bank's answer, after some time. */
  pay(order: Order, signal: AbortSignal): Promise<Payment>
  /** The payments of a run, oldest first. */
  paymentsOf(runId: string): Promise<readonly Payment[]>
}

/** The ledger of a bank, as the page shows it. */
export interface Ledger extends Pick<Payer, 'paymentsOf'> {
  /** Calls back when the ledger may have changed, in any tab. Returns a function that ends this. */
  watch(onChange: () => void): () => void
}

export interface Bank extends Payer, Ledger {}

/** Returns the payments of an answer that can be shown. */
export const readPayments = (value: unknown): readonly Payment[] =>
  (Array.isArray(value) ? value : []).filter((each: unknown): each is Payment => {
    const { key, what, amount, at, asked } = Object(each) as Partial<Record<keyof Payment, unknown>>
    return [key, what].every((text) => typeof text === 'string') && [amount, at, asked].every(Number.isFinite)
  })

/** Returns the line of an order: a new one for a new key, or the known one with a higher count. */
export const entered = (order: Order, before: Payment | undefined, at: number): Payment =>
  before ? { ...before, asked: before.asked + 1 } : { ...order, at, asked: 1 }

/** Waits. Rejects if the call is aborted before. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
