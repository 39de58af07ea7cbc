import { canonicalJson } from '../canonicalJson.ts'
import { demand } from '../demand.ts'
import { AgentError } from '../error.ts'
import type { Event } from '../event.ts'
import type { Host } from '../host.ts'
import { type Json, toJson } from '../json.ts'
import type { Ask } from '../question.ts'

/** What lets one person answer one question, as it was asked at one place of one run, for some time. */
export interface ReplyTokens {
  sign(asked: AskedBy): Promise<string>
  /** The event that asked the question, if the token was made for it. Throws `token_invalid`. */
  check(token: string, given: TokenCheck): Promise<AskedEvent>
}

export type AskedEvent = Extract<Event, { type: 'asked' }>
interface AskedBy {
  readonly event: AskedEvent
  /** As the journal has it. */
  readonly runId: string
  readonly principal: string
}
export interface TokenCheck extends Omit<AskedBy, 'event'> {
  readonly ask: string
  readonly events: readonly Event[]
}

export interface ReplyTokensOptions {
  readonly secret: string | readonly string[]
  readonly host: Pick<Host, 'now'>
  readonly replyMs: number
}

export function createReplyTokens({ secret, host, replyMs }: ReplyTokensOptions): ReplyTokens {
  const secrets = [secret].flat().map((each) => new TextEncoder().encode(each))
  demand(
    secrets.length > 0 && secrets.every(({ length }) => length >= 32),
    'createHandler({ secret }) needs a secret of at least 32 random bytes: `openssl rand -hex 32` makes one.',
  )
  const keys = secrets.map((each) => crypto.subtle.importKey('raw', each, algorithm, false, ['sign']))
  const [first] = keys as [Promise<CryptoKey>]

  const write = async (
    key: Promise<CryptoKey>,
    { event, runId, principal }: AskedBy,
    expiry: number,
  ): Promise<string> => {
    const digest = toBase64Url(await crypto.subtle.digest('SHA-256', bytesOf(canonicalJson(asJson(event.ask)))))
    const signed = canonicalJson([version, runId, event.ask.id, digest, event.seq, principal, expiry])
    return `${version}.${event.seq}.${expiry}.${toBase64Url(await crypto.subtle.sign('HMAC', await key, bytesOf(signed)))}`
  }

  return {
    sign: (asked) => write(first, asked, host.now() + replyMs),
    async check(token, { events, ask, ...by }) {
      const [, seq, expiry] = token.split('.').map(Number)
      const event = events[seq ?? -1]
      if (event?.type !== 'asked' || event.ask.id !== ask || !Number.isSafeInteger(expiry)) throw invalid()
      // What was signed is written anew, and is the same or not: nothing of what was given is trusted on the way.
      let isSame = false
      for (const key of keys) {
        if (isEqual(await write(key, { event, ...by }, expiry as number), token)) isSame = true
      }
      if (!isSame || (expiry as number) < host.now()) throw invalid()
      return event
    },
  }
}

const version = 'v1'
const algorithm = { name: 'HMAC', hash: 'SHA-256' }
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)
const asJson = (ask: Ask): Json => toJson(ask)

/** The same for all that can be wrong with one. */
const invalid = (): AgentError =>
  new AgentError(
    'token_invalid',
    'This token does not answer this question, or not any more. Read the run for a new one.',
  )

const toBase64Url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/[+/=]/g, (sign) => ({ '+': '-', '/': '_' })[sign] ?? '')

/** Takes as long whether the first or the last character differs. */
function isEqual(right: string, given: string): boolean {
  let difference = right.length ^ given.length
  for (let i = 0; i < right.length; i++) difference |= right.charCodeAt(i) ^ given.charCodeAt(i)
  return difference === 0
}
