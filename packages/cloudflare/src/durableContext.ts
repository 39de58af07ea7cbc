import type { DurableStorage } from './durableStorage.ts'

/** What a Durable Object is given first, as far as it is used here. */
export interface DurableContext {
  readonly storage: DurableStorage
  /** Takes a connection that outlives the object's time in memory. */
  acceptWebSocket(socket: DurableSocket): void
  getWebSockets(): DurableSocket[]
}

/** The object's end of a WebSocket. */
export interface DurableSocket {
  send(text: string): void
  close(code?: number, reason?: string): void
  /** What is told of it after the object was gone from memory. */
  serializeAttachment(data: unknown): void
  deserializeAttachment(): unknown
}

/** A binding of a class of Durable Objects. */
export interface DurableNamespace {
  idFromName(name: string): unknown
  get(id: unknown): { fetch(request: Request): Promise<Response> }
}
