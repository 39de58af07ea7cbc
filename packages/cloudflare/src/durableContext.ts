import type { SqlStorage } from '@interleave/server/internal'

/** The client's end of a WebSocket, which is sent with a response. */
export interface ClientSocket {
  accept(): void
  close(code?: number, reason?: string): void
  addEventListener(type: 'message' | 'close' | 'error', listener: (event: { readonly data?: unknown }) => void): void
}

/** A global of workerd. */
declare const WebSocketPair: new () => { readonly 0: ClientSocket; readonly 1: DurableSocket }

/** Responds with a WebSocket whose other end the object keeps. */
export function answerWithSocket(take: (socket: DurableSocket) => void): Response {
  const pair = new WebSocketPair()
  take(pair[1])
  return new Response(null, { status: 101, webSocket: pair[0] } as ResponseInit)
}

export const socketOf = (response: Response): ClientSocket | undefined =>
  (response as Response & { readonly webSocket?: ClientSocket | null }).webSocket ?? undefined

/**
 * The used part of a Durable Object's storage. Values that are set together with rows are stored with them, or not at
 * all.
 */
export interface DurableStorage extends SqlStorage {
  setAlarm(time: number): Promise<void>
  deleteAlarm(): Promise<void>
}

/** The used part of the first argument of a Durable Object. */
export interface DurableContext {
  readonly storage: DurableStorage
  /** Accepts a connection that outlives the object's time in memory. */
  acceptWebSocket(socket: DurableSocket): void
  getWebSockets(): DurableSocket[]
}

/** The object's end of a WebSocket. */
export interface DurableSocket {
  send(text: string): void
  close(code?: number, reason?: string): void
  /** Stores data that is still available after the object was evicted. */
  serializeAttachment(data: unknown): void
  deserializeAttachment(): unknown
}

/** A binding of a class of Durable Objects. */
export interface DurableNamespace {
  idFromName(name: string): unknown
  get(id: unknown): { fetch(request: Request): Promise<Response> }
}
