import { since } from './variant.ts'

/** Asks the server of this page. */
export async function post(path: string, body: unknown, key = ''): Promise<unknown> {
  const headers = { 'idempotency-key': key }
  const response = await fetch(`/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return response.json()
}

/** Tells of an error, by a place that may be dying: then it is none. */
export function tellFault(error: unknown): Promise<unknown> {
  const words = String((error as Partial<Error>).stack ?? error)
  return post('fault', { since, at: Date.now(), words })
}
