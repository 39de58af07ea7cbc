/** Tracks calls to the other side, by id, from when they are sent until they are answered. */
export class Calls<Call, Result, Part = never> {
  readonly #newId: () => string
  readonly #post: (id: string, call: Call, signal?: AbortSignal) => void
  readonly #open = new Map<string, OpenCall<Call, Result, Part>>()

  constructor(newId: () => string, post: (id: string, call: Call, signal?: AbortSignal) => void) {
    this.#newId = newId
    this.#post = post
  }

  /** The calls without an answer, in the order in which they were sent. */
  get openCalls(): readonly (readonly [id: string, call: Call])[] {
    return Array.from(this.#open, ([id, { call }]) => [id, call] as const)
  }

  isOpen(id: string): boolean {
    return this.#open.has(id)
  }

  /** Sends a call, unless its signal has aborted. An abort ends the wait for the answer, and leaves no listener. */
  sendCall(call: Call, { signal, onPart, onAbort }: CallOptions<Part> = {}): SentCall<Result> {
    const id = this.#newId()
    const abort = (): void => {
      onAbort?.(id, signal?.reason)
      this.rejectCall(id, signal?.reason)
    }
    const answer = new Promise<Result>((resolve, reject) => {
      this.#open.set(id, { call, resolve, reject, onPart })
      if (signal?.aborted) return abort()
      signal?.addEventListener('abort', abort)
      this.#send(id, call, signal)
    })
    return { id, answer: signal ? answer.finally(() => signal.removeEventListener('abort', abort)) : answer }
  }

  /** Sends open calls again, for example to a new owner: all of them, or those of these that are still open. */
  resendCalls(calls: Calls<Call, Result, Part>['openCalls'] = this.openCalls): void {
    for (const [id, call] of calls) if (this.isOpen(id)) this.#send(id, call)
  }

  receivePart(id: string, part: Part): void {
    this.#open.get(id)?.onPart?.(part)
  }

  /** Returns true if the call was still open. */
  resolveCall(id: string, result: Result): boolean {
    const open = this.#remove(id)
    open?.resolve(result)
    return open !== undefined
  }

  /** Returns true if the call was still open. */
  rejectCall(id: string, error: unknown): boolean {
    const open = this.#remove(id)
    open?.reject(error)
    return open !== undefined
  }

  /** Rejects all open calls, or those for which `errorOf` returns an error. */
  rejectCalls(errorOf: (call: Call) => unknown): void {
    for (const [id, call] of this.openCalls) {
      const error = errorOf(call)
      if (error !== undefined) this.rejectCall(id, error)
    }
  }

  /** Executes every open call here, since the other side is not needed any more. */
  answerCallsHere(execute: (call: Call) => Promise<Result>): void {
    for (const [id] of this.openCalls) {
      const open = this.#remove(id)
      if (open) execute(open.call).then(open.resolve, open.reject)
    }
  }

  #send(id: string, call: Call, signal?: AbortSignal): void {
    try {
      this.#post(id, call, signal)
    } catch (error) {
      // A part of it cannot be cloned.
      this.rejectCall(id, error)
    }
  }

  #remove(id: string): OpenCall<Call, Result, Part> | undefined {
    const open = this.#open.get(id)
    this.#open.delete(id)
    return open
  }
}

export interface CallOptions<Part> {
  readonly signal?: AbortSignal | undefined
  /** Called with the parts that arrive before the answer. */
  readonly onPart?: ((part: Part) => void) | undefined
  /**
   * Called when the signal of a call aborts; may answer the call. Otherwise the call rejects with the signal's reason.
   */
  readonly onAbort?: (id: string, reason: unknown) => void
}

export interface SentCall<Result> {
  readonly id: string
  readonly answer: Promise<Result>
}

interface OpenCall<Call, Result, Part> {
  readonly call: Call
  readonly onPart: ((part: Part) => void) | undefined
  resolve(result: Result): void
  reject(error: unknown): void
}
