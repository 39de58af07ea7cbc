import { AgentError } from '@interleave/core'
import { decorateJournal } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import { createRandom } from './chaos/createRandom.ts'

export interface LossyOptions {
  readonly seed: number
  /** The share of requests with a fault, from 0 to 1; 0.12 by default. */
  readonly share?: number
  /** The longest time by which something is late, in milliseconds; 20 by default. */
  readonly lateMs?: number
}

/** `lost`: the work is done, and nobody is told. `later`: so it is, after a while. `late`: the answer takes its time. */
type Fault = 'lost' | 'later' | 'late' | 'doubled' | 'refused'
const faults: readonly Fault[] = ['lost', 'later', 'late', 'doubled', 'refused']

/** A network that loses, delays and doubles requests and their answers, as its seed decides. */
export class LossyNetwork {
  share: number
  /** The number of faults so far. */
  count = 0
  readonly random: () => number
  readonly #lateMs: number

  constructor({ seed, share = 0.12, lateMs = 20 }: LossyOptions) {
    this.share = share
    this.random = createRandom(seed)
    this.#lateMs = lateMs
  }

  /** Puts the network before a journal. */
  journal<J extends Journal>(journal: J): J {
    const error = (): AgentError => new AgentError('journal_failed', 'The connection broke.', { retryable: true })
    const through = <T>(work: () => T | PromiseLike<T>): Promise<T> => this.#through(work, error)
    return decorateJournal(journal, (inner) => ({
      append: (...given) => through(() => inner.append(...given)),
      read: (...given) => through(() => inner.read(...given)),
      claim: (...given) => through(() => inner.claim(...given)),
    }))
  }

  /** Puts the network before a server. */
  fetch(ask: (url: string, init: RequestInit) => Promise<Response>): typeof ask {
    return (url, init) =>
      this.#through(
        () => ask(url, init),
        () => new TypeError('Failed to fetch'),
      )
  }

  async #through<T>(work: () => T | PromiseLike<T>, error: () => Error): Promise<T> {
    // As with any network: nothing is answered in the same microtask.
    await undefined
    const fault = this.#nextFault()
    if (fault === undefined) return work()
    if (fault === 'late') {
      const done = await work()
      await this.#pause()
      return done
    }
    if (fault === 'doubled') {
      discard(await work())
      return work()
    }
    if (fault === 'lost') await settled(work)
    if (fault === 'later') void this.#pause().then(() => settled(work))
    throw error()
  }

  #nextFault(): Fault | undefined {
    if (this.random() >= this.share) return undefined
    this.count++
    return faults[Math.floor(this.random() * faults.length)]
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, this.random() * this.#lateMs))
  }
}

/** Does the work, whose outcome nobody learns. */
async function settled(work: () => unknown): Promise<void> {
  try {
    discard(await work())
  } catch {
    // Nobody hears that either.
  }
}

function discard(answer: unknown): void {
  if (answer instanceof Response) answer.body?.cancel().catch(() => {})
}
