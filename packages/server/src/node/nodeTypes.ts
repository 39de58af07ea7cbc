/** The part of `IncomingMessage` that the adapter uses: the core compiles without the types of Node. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[]
  readonly socket: object
  readonly readableEnded: boolean
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown
  on(event: 'end' | 'close' | 'error', listener: () => void): unknown
  pause(): unknown
  resume(): unknown
}

/** The part of `ServerResponse` that the adapter uses. */
export interface NodeResponse {
  readonly headersSent: boolean
  readonly writableFinished: boolean
  on(event: 'drain' | 'close' | 'error', listener: () => void): unknown
  writeHead(status: number, headers: Record<string, string | string[]>): unknown
  /** The types of `node:http2` do not have it. */
  flushHeaders?(): unknown
  write(chunk: Uint8Array): boolean
  end(): unknown
  destroy(): unknown
}
