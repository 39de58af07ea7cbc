/**
 * What a server wrote about the error, where the AI SDK did not read it and has only the words of the status: servers
 * that speak another provider's interface seldom describe their errors as that provider does.
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
