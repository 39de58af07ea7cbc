/**
 * Reads a server's error text if the AI SDK has only the status text. Servers that imitate another provider's interface
 * seldom describe errors in its format.
 */
export function serverMessage(error: unknown): string | undefined {
  const { responseBody } = (error ?? {}) as { responseBody?: unknown }
  if (typeof responseBody !== 'string' || responseBody.length > 65_536) return undefined
  try {
    return messageIn(JSON.parse(responseBody))
  } catch {
    return undefined
  }
}

function messageIn(body: unknown): string | undefined {
  if (typeof body === 'string') return body || undefined
  if (!body || typeof body !== 'object') return undefined
  const { message, error, detail } = body as Partial<Record<string, unknown>>
  const found = [message, detail, typeof error === 'string' ? error : undefined].find(
    (text) => typeof text === 'string',
  )
  return (found as string | undefined) || (typeof error === 'object' ? messageIn(error) : undefined)
}
