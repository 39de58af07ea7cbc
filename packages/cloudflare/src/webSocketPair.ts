import type { DurableSocket } from './durableContext.ts'

/** The end that is handed out with a response. */
export interface ClientSocket {
  accept(): void
  close(code?: number, reason?: string): void
  addEventListener(type: 'message' | 'close' | 'error', listener: (event: { readonly data?: unknown }) => void): void
}

/** Answers a request with a WebSocket, whose other end the object keeps. */
export function answerWithSocket(take: (socket: DurableSocket) => void): Response {
  const { WebSocketPair } = globalThis as unknown as {
    WebSocketPair: new () => { readonly 0: ClientSocket; readonly 1: DurableSocket }
  }
  const pair = new WebSocketPair()
  take(pair[1])
  return new Response(null, { status: 101, webSocket: pair[0] } as ResponseInit)
}

/** The WebSocket that a response came with. */
export const socketOf = (response: Response): ClientSocket | undefined =>
  (response as Response & { readonly webSocket?: ClientSocket | null }).webSocket ?? undefined
