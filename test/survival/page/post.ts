/** Asks the server of this page. */
export async function post(path: string, body: unknown, key = ''): Promise<unknown> {
  const headers = { 'idempotency-key': key }
  const response = await fetch(`/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  return response.json()
}
