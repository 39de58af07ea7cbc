import { AgentError } from '../error.ts'
import type { Asked, Authorize } from './handlerOptions.ts'

/** Who asks, or what is answered to somebody who may not. */
export async function whoAsks(
  authorize: Authorize,
  { url, method, headers }: Request,
  asked: Asked,
): Promise<string | Response> {
  const by = await authorize(new Request(url, { method, headers }), asked)
  if (by instanceof Response) return by
  if (typeof by === 'string' && by !== '' && by.length <= 256) return by
  throw new AgentError('not_allowed', 'Say who you are.')
}
