import type { Json } from '@interleave/core'
import { isObject, messageOf, parseJson, problemInData } from '@interleave/core/internal'
import type { JsonObject } from '../client/rpc.ts'

/** The part of a frame's window that is used here: the package compiles without the DOM. */
export interface FrameWindow {
  postMessage(message: unknown, origin: string): void
}

/** An error as the app receives it. */
export class AppProblem extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}
export const problems = { invalid: -32600, unknownMethod: -32601, invalidParams: -32602, refused: -32000 } as const

export interface ChannelOptions {
  readonly frame: FrameWindow
  /** The origin of the sandbox page. */
  readonly origin: string
  /** The clock of the rate limit, in milliseconds. */
  readonly now: () => number
  onRequest(method: string, params: JsonObject, signal: AbortSignal): PromiseLike<JsonObject>
  onNotification(method: string, params: JsonObject): void
  /** Called when the app has sent more messages than it may. The channel is closed. */
  onFlood(): void
}

/** The maximum characters and levels of a message of an app. */
const longest = 1_000_000
const deepest = 40
/** The maximum messages at once, and per second. */
const mostAtOnce = 100
const mostPerSecond = 50
const mostRequests = 16

/** Speaks JSON-RPC with an app through its sandbox page. */
export class AppChannel {
  readonly #options: ChannelOptions
  readonly #requests = new Map<string | number, AbortController>()
  #left = mostAtOnce
  #at: number

  constructor(options: ChannelOptions) {
    this.#options = options
    this.#at = options.now()
    addEventListener('message', this.#receive)
  }

  notify(method: string, params: JsonObject): void {
    this.#send({ jsonrpc: '2.0', method, params })
  }

  /**
   * Ends the channel. Work that the app has started continues: its questions may be answered when it is shown again.
   */
  close(): void {
    removeEventListener('message', this.#receive)
    this.#requests.clear()
  }

  #send(message: object): void {
    this.#options.frame.postMessage(message, this.#options.origin)
  }

  readonly #receive = ({ data, source, origin }: MessageEvent): void => {
    if ((source as unknown) !== this.#options.frame || origin !== this.#options.origin) return
    if (!this.#isAllowed()) {
      for (const request of this.#requests.values()) request.abort()
      this.close()
      this.#options.onFlood()
      return
    }
    const message = readAppMessage(data)
    if (!message) return
    const { id, method, params } = message
    if (id !== undefined) void this.#answer(id, method, params)
    else if (method === 'notifications/cancelled') this.#requests.get(params.requestId as string)?.abort()
    else this.#options.onNotification(method, params)
  }

  /** Counts a message. Returns true if it is within the limit. */
  #isAllowed(): boolean {
    const now = this.#options.now()
    const gained = (Math.max(0, now - this.#at) / 1_000) * mostPerSecond
    this.#left = Math.min(mostAtOnce, this.#left + gained) - 1
    this.#at = now
    return this.#left >= 0
  }

  async #answer(id: string | number, method: string, params: JsonObject): Promise<void> {
    const request = new AbortController()
    // An app that restarts no longer waits for its earlier requests.
    if (method === 'ui/initialize') this.#requests.clear()
    const refuse = (code: number, message: string): void => this.#send({ jsonrpc: '2.0', id, error: { code, message } })
    if (this.#requests.has(id)) return refuse(problems.invalid, 'A request with this id is open.')
    if (this.#requests.size >= mostRequests)
      return refuse(problems.refused, `${mostRequests} requests are open. Try again later.`)
    this.#requests.set(id, request)
    const answer = await this.#options.onRequest(method, params, request.signal).then(
      (result) => ({ result }),
      (error) => ({ error: errorOf(error) }),
    )
    if (this.#requests.get(id) !== request) return
    this.#requests.delete(id)
    if (!request.signal.aborted) this.#send({ jsonrpc: '2.0', id, ...answer })
  }
}

const errorOf = (error: unknown): object =>
  error instanceof AppProblem
    ? { code: error.code, message: error.message }
    : { code: problems.refused, message: messageOf(error) }

interface AppMessage {
  readonly id?: string | number
  readonly method: string
  readonly params: JsonObject
}

/** Returns a request or a notification of an app; undefined for anything else. */
export function readAppMessage(data: unknown): AppMessage | undefined {
  const limits = { maxValues: longest, maxText: longest, maxDepth: deepest, isPlainOnly: true }
  if (problemInData(data, limits) !== undefined) return undefined
  let message: Json
  try {
    message = parseJson(JSON.stringify(data), { maxLength: 2 * longest, maxDepth: deepest })
  } catch {
    return undefined
  }
  if (!isObject(message) || message.jsonrpc !== '2.0') return undefined
  const { id, method, params = {} } = message
  if (typeof method !== 'string' || method.length > 200 || !isObject(params)) return undefined
  if (id === undefined) return { method, params }
  const isId = typeof id === 'number' || (typeof id === 'string' && id.length <= 200)
  return isId ? { id, method, params } : undefined
}
