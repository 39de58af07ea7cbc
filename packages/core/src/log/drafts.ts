import type { Delta, EventBody } from '../event.ts'
import type { DraftedRun, Drafts } from '../journal.ts'
import { noUsage } from '../usage.ts'

/** The number of characters of the first draft; another follows each time the text doubles. */
const firstKept = 1_000
/** The delay of the first draft; it doubles each time. Few turns take that long. */
const firstWaitMs = 5_000

/** Writes drafts of one turn: as it grows, over time, and when the host may disappear. */
export class DraftKeeper implements Drafts {
  readonly #run: DraftedRun
  readonly #stay: (() => void) | undefined
  /** Characters so far, and those of the last draft. */
  #size = 0
  #kept = 0
  #nextSize = firstKept
  #waitMs = firstWaitMs
  /** True if the next delta writes a draft, because the last one is old. */
  #isDue = false
  #cancelWait: (() => void) | undefined = undefined

  constructor(run: DraftedRun) {
    this.#run = run
    this.#stay = run.host.onLeave?.(() => this.#keep())
  }

  attempt(receive: (delta: Delta) => void): (delta: Delta) => void {
    this.#cancelWait?.()
    this.#cancelWait = undefined
    this.#size = 0
    this.#kept = 0
    this.#nextSize = firstKept
    this.#waitMs = firstWaitMs
    this.#isDue = false
    if (this.#run.state.drafted) this.#run.emit({ type: 'drafted', text: '', reasoning: '' })
    return (delta) => {
      receive(delta)
      if (delta.kind !== 'input') this.#grow(delta.delta.length)
    }
  }

  end(): void {
    this.#cancelWait?.()
    this.#stay?.()
  }

  #grow(characters: number): void {
    this.#size += characters
    if (!this.#cancelWait) this.#wait()
    if (!this.#isDue && this.#size < this.#nextSize) return
    if (this.#isDue) {
      this.#isDue = false
      this.#waitMs *= 2
      this.#wait()
    }
    this.#keep()
  }

  #wait(): void {
    this.#cancelWait = this.#run.host.timer(this.#waitMs, () => {
      this.#isDue = true
    })
  }

  #keep(): void {
    const { draft } = this.#run.state
    if (!draft || this.#size === this.#kept) return
    this.#kept = this.#size
    this.#nextSize = Math.max(firstKept, 2 * this.#size)
    this.#run.emit({ type: 'drafted', text: draft.text, reasoning: draft.reasoning })
    this.#run.durable()?.then(undefined, () => {})
  }
}

export function interruptedTurn({ agent, state: { drafted } }: DraftedRun): EventBody | undefined {
  if (!drafted) return undefined
  const { text, reasoning } = drafted
  const [{ provider, modelId } = { provider: '', modelId: '' }] = agent.models
  return {
    type: 'thought',
    model: { provider, modelId },
    parts: [
      ...(reasoning ? [{ type: 'reasoning', text: reasoning } as const] : []),
      ...(text ? [{ type: 'text', text } as const] : []),
    ],
    usage: noUsage,
    ms: 0,
    readUntil: 0,
    error: {
      code: 'interrupted',
      message: 'The page or process ended before the turn was complete.',
      retryable: true,
    },
  }
}
