import type { ServerResponse } from 'node:http'

export interface Refusal {
  readonly status: number
  readonly type: 'proxy_refused' | 'proxy_unreachable' | 'proxy_redirected'
  readonly message: string
}

/** Answers with an error in the form that providers use, so that every client shows its message. */
export function refuse(response: ServerResponse, { status, type, message }: Refusal): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify({ error: { type, message, code: type } }))
}
