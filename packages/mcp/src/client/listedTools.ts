import { pause, retryDelay, until } from '@interleave/connect/internal'
import { AgentError, localHost } from '@interleave/core'
import { readThrown } from '@interleave/core/internal'
import type { RequestOptions } from './mcpServer.ts'
import type { Renewals } from './renewals.ts'
import type { JsonObject, Message } from './rpc.ts'
import { listAll, type McpTool, type ToolList } from './toolList.ts'

interface ListSource {
  readonly host: string
  readonly renewals: Renewals
  /** Requests one page of the list. */
  readonly request: (params: JsonObject, signal: AbortSignal) => Promise<JsonObject>
  /** Opens the stream of the server's notifications. Resolves when it ends; rejects if there is none. */
  readonly listen: (signal: AbortSignal, onMessage: (message: Message) => void) => Promise<void>
}

interface ListRead extends ToolList {
  /** The stream that was open before the read. */
  readonly stream: object | undefined
  readonly changes: number
  readonly at: number
}

/** The list of a server's tools, which is read again when it is no longer valid. */
export class ListedTools {
  readonly #source: ListSource
  #list: ListRead | undefined
  #reading: Promise<ListRead> | undefined
  /** The number of changes of the list that the server has reported. */
  #changes = 0
  /** Identifies the open stream of changes: a new object for each one that the server confirms. */
  #stream: object | undefined
  #followers = 0
  #following: AbortController | undefined
  #hasNoStream = false

  constructor(source: ListSource) {
    this.#source = source
  }

  /** Returns a tool of the list that was read last. */
  find(name: string): McpTool | undefined {
    return this.#list?.tools.find((each) => each.name === name)
  }

  /** Makes the next `read()` request the list again. */
  expire(): void {
    this.#changes++
  }

  async read({ signal }: RequestOptions): Promise<readonly McpTool[]> {
    if (this.#list && this.#isCurrent(this.#list)) return this.#list.tools
    // Concurrent requests are sent once. A caller that aborts does not cancel the request of the others.
    this.#reading ??= until((over) => this.#request(over), {
      ms: listMs,
      onTimeout: () => tooSlow(this.#source.host),
      host: this.#source.renewals,
    }).finally(() => {
      this.#reading = undefined
    })
    const list = await until(this.#reading, { signal })
    this.#list = list
    return list.tools
  }

  async #request(signal: AbortSignal): Promise<ListRead> {
    const [stream, changes, at] = [this.#stream, this.#changes, Date.now()]
    const list = await listAll((params) => this.#source.request(params, signal))
    return { ...list, stream, changes, at }
  }

  /** Returns true if a list is valid: until it expires, and longer while a stream would report a change. */
  #isCurrent({ changes, until: end, stream, at }: ListRead): boolean {
    const now = Date.now()
    if (changes !== this.#changes) return false
    return end > now || (stream !== undefined && stream === this.#stream && now - at < followedMs)
  }

  /** Listens for changes, if the server reports them. Returns a function that ends this for its caller. */
  follow(): () => void {
    this.#followers++
    if (!this.#following && !this.#hasNoStream) {
      this.#following = new AbortController()
      void this.#listen(this.#following.signal)
    }
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      if (--this.#followers > 0) return
      this.#following?.abort()
      this.#following = undefined
    }
  }

  /** Listens until the signal aborts. Reopens a broken stream, with growing delays. */
  async #listen(signal: AbortSignal): Promise<void> {
    let own: object | undefined
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        // The response also shows which era the server speaks.
        await this.read({ signal })
        await this.#source.listen(signal, ({ method }) => {
          if (method === 'notifications/tools/list_changed') this.#changes++
          if (method !== acknowledged || signal.aborted) return
          attempt = 0
          // The list may have changed while the stream was cut.
          if (own) this.#changes++
          own = this.#stream = {}
        })
      } catch (error) {
        if (!signal.aborted && isRefusal(error)) {
          this.#hasNoStream = true
          return
        }
      } finally {
        if (this.#stream === own) this.#stream = undefined
      }
      if (!signal.aborted) await pause(localHost, retryDelay(Math.min(attempt, mostDoublings), localHost), signal)
    }
  }
}

/** Milliseconds for which a list with an open stream is valid, since a dead connection may go unnoticed. */
const followedMs = 300_000
/** Milliseconds that the server has to send its list. */
const listMs = 60_000
const mostDoublings = 20

function tooSlow(host: string): never {
  const message = `The MCP server ${host} did not list its tools within ${listMs} ms.`
  throw new AgentError('remote_failed', message, { retryable: true })
}

/** The first message of a stream. In the era of 2025 there is none, so the client creates it. */
export const acknowledged = 'notifications/subscriptions/acknowledged'

/** Returns true if the server does not support such a stream, or denies it. Repeating the request would not help. */
const isRefusal = (error: unknown): boolean =>
  readThrown(
    error,
    ({ status, rpcCode }) =>
      (typeof status === 'number' && status >= 400 && status < 500 && status !== 408 && status !== 429) ||
      rpcCode === methodNotFound ||
      rpcCode === invalidParams,
    false,
  )
const methodNotFound = -32601
const invalidParams = -32602
