import { isAgentError } from '@interleave/core'
import { readText } from '@interleave/server/internal'
import { checkHubPost } from './hubPost.ts'
import type { LiveHub } from './liveHub.ts'
import { secretGate } from './secretGate.ts'
import { wholeTurns } from './wholeTurns.ts'

export interface HubHandlerOptions {
  /** What `postLive()` sends along. At least 32 bytes. Of several, each is good, so that one can be replaced. */
  secret: string | readonly string[]
  /** Bytes of a post; 16,000,000 by default. */
  maxBytes?: number
}

/**
 * Takes for a hub what `postLive()` sends from where runs work. Anything that speaks fetch serves it, at an address that pages do not
 * reach: who has the secret is believed.
 *
 * @example
 * const hub = liveHub()
 * export default { fetch: hubHandler(hub, { secret: env.HUB_SECRET }) }
 */
export function hubHandler(
  hub: Pick<LiveHub, 'tell'>,
  { secret, maxBytes = 16_000_000 }: HubHandlerOptions,
): (request: Request) => Promise<Response> {
  const isAllowed = secretGate(secret)
  const turns = wholeTurns()

  const take = async (request: Request): Promise<void> => {
    const post = checkHubPost(await readText(request, maxBytes))
    for (const { run, ...told } of post.told.slice(turns.known(post))) {
      if ('kept' in told) hub.tell(run, told)
      else {
        const events = turns.pass(run, post.from, told.events)
        if (events.length > 0) hub.tell(run, { ...told, events })
      }
    }
  }
  return async (request) => {
    if (request.method !== 'POST') return say(405, 'A hub takes posts.', { allow: 'POST' })
    if (!(await isAllowed(request)))
      return say(401, 'This is not the secret of the hub.', { 'www-authenticate': 'Bearer' })
    try {
      await take(request)
      return new Response(null, { status: 204 })
    } catch (error) {
      if (!isAgentError(error)) throw error
      return say(error.code === 'too_large' ? 413 : 400, error.message)
    }
  }
}

const say = (status: number, words: string, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(words, { status, headers: { 'content-type': 'text/plain', 'cache-control': 'no-store', ...headers } })
