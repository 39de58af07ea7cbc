import { AgentError } from '@interleave/core'
import type { DurableNamespace } from './durableContext.ts'

/** A request from one part of this host to another. Nobody else reaches the objects. */
export interface ObjectRequest {
  /** The object. */
  readonly name: string
  /** Who asks, in the run's own words: what `authorize` gave. */
  readonly principal: string
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Whom an object takes a request to be from. It is set here, and never taken over from outside. */
const header = 'interleave-principal'

export const principalOf = ({ headers }: Pick<Request, 'headers'>): string | undefined => {
  const given = headers.get(header)
  return given === null ? undefined : decodeURIComponent(given)
}

/** Asks an object. Where it cannot be reached, as while a new version of it comes, the same may go better in a moment. */
export async function askObject(
  namespace: DurableNamespace,
  { name, principal, method = 'GET', path, headers = {}, body }: ObjectRequest,
): Promise<Response> {
  const request = new Request(`https://object${path}`, {
    method,
    headers: {
      ...headers,
      [header]: encodeURIComponent(principal),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  try {
    return await namespace.get(namespace.idFromName(name)).fetch(request)
  } catch (cause) {
    throw new AgentError('server_failed', 'The run cannot be reached.', { cause, retryable: true, status: 503 })
  }
}
