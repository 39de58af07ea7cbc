import { AgentError } from '@interleave/core'
import { isId } from '@interleave/core/internal'
import type { Authorize, RequestedAction } from './handlerOptions.ts'

/** Returns the user, or the response to an unauthorized request. */
export async function authenticate(
  authorize: Authorize,
  { url, method, headers }: Request,
  asked: RequestedAction,
): Promise<string | Response> {
  const by = await authorize(new Request(url, { method, headers }), asked)
  if (by instanceof Response) return by
  if (typeof by === 'string' && by.length <= longest && isId(by)) return by
  if (by === undefined || by === null || by === '') throw new AgentError('not_allowed', 'Say who you are.')
  const what = typeof by === 'string' ? `a text of ${by.length} characters` : `a value of the type ${typeof by}`
  throw new AgentError(
    'server_failed',
    `authorize() gave ${what}. Give well-formed text of 1 to ${longest} characters.`,
  )
}

/** The maximum length of a user's identity, which is the prefix of the ids of all runs. */
const longest = 256
