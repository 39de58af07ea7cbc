import type { Event, RunState } from '@interleave/core'
import type { SendingMessage } from '@interleave/core/observe'

interface Held {
  readonly message: SendingMessage
  /** Returns true for the event of this message in the log. */
  readonly isIn: (event: Event) => boolean
  readonly cancel: AbortController
}

const none: readonly SendingMessage[] = []

/** The messages of this page on their way to the host of a run, except those that the log shows already. */
export class Outbox {
  readonly #log: readonly Event[]
  readonly #onChange: (messages: readonly SendingMessage[]) => void
  #held: readonly Held[] = []
  #shown: readonly SendingMessage[] = none
  #isClosed = false
  #latest: { readonly state: RunState; readonly with: RunState } | undefined

  /** `log` is read again with each `refresh`. */
  constructor(log: readonly Event[], onChange: (messages: readonly SendingMessage[]) => void) {
    this.#log = log
    this.#onChange = onChange
  }

  get isEmpty(): boolean {
    return this.#shown.length === 0
  }

  /** Returns a state with the messages. A finished run counts as working on them, unless it waits for a reply. */
  show(state: RunState): RunState {
    if (this.isEmpty) return state
    if (this.#latest?.state === state && this.#latest.with.sending === this.#shown) return this.#latest.with
    const { signal, ...working } = state
    const isWaiting = signal?.type === 'inputNeeded'
    this.#latest = { state, with: { ...(isWaiting ? state : working), sending: this.#shown } }
    return this.#latest.with
  }

  /** Holds a message until `send` has ended. One with the key of a held message is sent again. */
  async hold<T>(
    message: SendingMessage,
    isIn: Held['isIn'],
    send: (signal: AbortSignal) => PromiseLike<T>,
  ): Promise<T> {
    const cancel = this.#held.find((held) => held.message.key === message.key)?.cancel ?? new AbortController()
    const held = { message, isIn, cancel }
    this.#change([...this.#held, held])
    try {
      return await send(cancel.signal)
    } finally {
      this.#change(this.#held.filter((other) => other !== held))
    }
  }

  /** Ends the sending of a message. Its `send` may have reached the host: then the log shows it. */
  withdraw(key: string, reason: Error): void {
    for (const { message, cancel } of this.#held) if (message.key === key) cancel.abort(reason)
  }

  /** Ends the outbox: no event follows. The host may still receive the messages. */
  close(): void {
    this.#isClosed = true
    this.refresh()
  }

  /** Begins again after `close`: events follow. */
  reopen(): void {
    this.#isClosed = false
    this.refresh()
  }

  /** Updates the messages that are shown, since the log has changed. */
  refresh(): void {
    if (this.#held.length > 0) this.#change(this.#held)
  }

  #change(held: readonly Held[]): void {
    this.#held = held
    const keys = new Set<string>()
    const shown = held.flatMap(({ message, isIn }) => {
      if (this.#isClosed || keys.has(message.key) || this.#log.some(isIn)) return []
      keys.add(message.key)
      return [message]
    })
    if (shown.length === this.#shown.length && shown.every((message, at) => message === this.#shown[at])) return
    this.#shown = shown.length > 0 ? shown : none
    this.#onChange(this.#shown)
  }
}
