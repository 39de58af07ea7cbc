import { AgentError, type Event, isAgentError } from '@interleave/core'
import { checkLive, checkNext, checkOptions, checkRunId } from '@interleave/core/internal'
import type { LiveEvent } from '@interleave/core/observe'
import { checkSecrets, digestOf, isEqual, readText } from '@interleave/server/internal'
import { type HubMessage, type LiveHub, setLatest } from './liveHub.ts'

/** The number of turns and senders that are remembered. Forgotten ones count as incomplete. */
const most = 1_000

/** Drops deltas of a turn after a gap: the rest of the turn would look complete. */
export class WholeTurns {
  /** The number of the next message, by sender. */
  readonly #next = new Map<string, number>()
  /** The sender of each run's current turn, if no event of it is missing. */
  readonly #whole = new Map<string, string>()

  /** Returns the number of messages of a repeated post that have arrived already. */
  countKnown({ from, first, messages }: HubPost): number {
    const expected = this.#next.get(from) ?? 0
    if (first > expected) for (const [run, by] of this.#whole) if (by === from) this.#whole.delete(run)
    setLatest(this.#next, from, { value: Math.max(expected, first + messages.length), most })
    return Math.max(0, expected - first)
  }

  /** Returns the events that may be shown. */
  filterLive(run: string, from: string, events: readonly LiveEvent[]): readonly LiveEvent[] {
    return events.filter((event) => {
      if (startsTurn(event)) setLatest(this.#whole, run, { value: from, most })
      return event.type !== 'delta' || this.#whole.get(run) === from
    })
  }
}

/** Returns true if this event discards the previous turn. */
const startsTurn = ({ type }: LiveEvent): boolean => type === 'thinking' || type === 'retrying'

/** Returns true if a request has one of the secrets, as `Authorization: Bearer …`. Takes constant time. */
type SecretGate = (request: Pick<Request, 'headers'>) => Promise<boolean>

function secretGate(secret: string | readonly string[]): SecretGate {
  const digests = checkSecrets(secret, 'hubHandler').map(digestOf)
  return async ({ headers }) => {
    const [, given] = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '') ?? []
    if (given === undefined) return false
    const digest = await digestOf(given)
    let isOne = false
    for (const each of digests) if (isEqual(await each, digest)) isOne = true
    return isOne
  }
}

/** A message of a process to a remote hub: events of its runs, in order. */
export interface HubPost {
  /** Identifies the sending process, and its start. */
  readonly from: string
  /** The number of the first message; the others follow it. */
  readonly first: number
  readonly messages: readonly PostedMessage[]
}

export type PostedMessage = HubMessage & { readonly run: string }

/** Validates a foreign post. Throws `request_invalid` or `log_invalid` for an invalid one. */
function checkHubPost(body: string): HubPost {
  const { from, first, messages } = Object(parse(body)) as Partial<HubPost>
  if (typeof from !== 'string' || from === '') throw invalid('`from` must be the id of the sender')
  if (!isCount(first)) throw invalid('`first` must be a number (0 or more)')
  if (!Array.isArray(messages)) throw invalid('`messages` must be a list')
  return { from, first, messages: messages.map(checkPosted) }
}

function checkPosted(data: unknown): PostedMessage {
  const { run, kept, after, iteration, events } = Object(data) as Record<string, unknown>
  checkRunId(run)
  if (kept !== undefined) return { run, kept: checkNext(kept, firstSeqOf(kept)) }
  if (!isCount(after) || !isCount(iteration)) throw invalid('`after` and `iteration` must be numbers (0 or more)')
  return { run, after, iteration, events: checkLive(events) }
}

const firstSeqOf = (kept: unknown): number => Number((Object(kept) as readonly Partial<Event>[])[0]?.seq ?? 0)

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw invalid('it is not JSON')
  }
}

const invalid = (why: string): AgentError =>
  new AgentError('request_invalid', `This is not a post of postLive(): ${why}.`)

export interface HubHandlerOptions {
  /** The secret that `postLive()` sends, of at least 32 bytes. Of several secrets, each is valid. */
  secret: string | readonly string[]
  /** The maximum bytes of a post; 16,000,000 by default. */
  maxBytes?: number
}

/**
 * Receives the posts of `postLive()` for a hub. Any fetch server can serve it. Use an address that pages cannot reach:
 * every client with the secret is trusted.
 *
 * @example
 * const hub = liveHub()
 * export default { fetch: hubHandler(hub, { secret: env.HUB_SECRET }) }
 */
export function hubHandler(
  hub: Pick<LiveHub, 'publish'>,
  options: HubHandlerOptions,
): (request: Request) => Promise<Response> {
  checkOptions('hubHandler()', options, ['secret', 'maxBytes'])
  const { secret, maxBytes = 16_000_000 } = options
  const isAllowed = secretGate(secret)
  const turns = new WholeTurns()

  const receive = async (request: Request): Promise<void> => {
    const post = checkHubPost(await readText(request, maxBytes))
    for (const { run, ...message } of post.messages.slice(turns.countKnown(post))) {
      if ('kept' in message) hub.publish(run, message)
      else {
        const events = turns.filterLive(run, post.from, message.events)
        if (events.length > 0) hub.publish(run, { ...message, events })
      }
    }
  }
  return async (request) => {
    if (request.method !== 'POST') return respond(405, 'Send a POST request.', { allow: 'POST' })
    if (!(await isAllowed(request)))
      return respond(401, 'This is not the secret of the hub.', { 'www-authenticate': 'Bearer' })
    try {
      await receive(request)
      return new Response(null, { status: 204 })
    } catch (error) {
      if (!isAgentError(error)) throw error
      return respond(error.code === 'too_large' ? 413 : 400, error.message)
    }
  }
}

const respond = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(text, { status, headers: { 'content-type': 'text/plain', 'cache-control': 'no-store', ...headers } })
