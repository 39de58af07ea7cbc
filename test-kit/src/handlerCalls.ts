import { memoryJournal } from '@interleave/core/journal'
import type { HandlerOptions } from '@interleave/server'
import { createHandler, type Handler } from '@interleave/server'

export const testSecret = 'a secret for tests only, of 32 bytes and more'

/** Creates a handler that trusts the name that a caller gives. */
export const openHandler = (agents: HandlerOptions['agents'], options: Partial<HandlerOptions> = {}): Handler =>
  createHandler({
    agents,
    journal: memoryJournal(),
    secret: testSecret,
    authorize: ({ headers }) => headers.get('authorization') ?? undefined,
    ...options,
  })

/** Returns the path of a run that is not there yet. */
export const newRun = (): string => `runs/${crypto.randomUUID()}`

export interface Call {
  readonly method?: string
  readonly body?: unknown
  readonly by?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends one request to a handler, as a client does. */
export function call(
  handler: Handler,
  path: string,
  { method, body, by = 'ada', headers = {} }: Call = {},
): Promise<Response> {
  return handler(
    new Request(`https://edge.test/api/v1/${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { authorization: by, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  )
}
