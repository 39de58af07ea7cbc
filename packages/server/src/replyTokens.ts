import { AgentError, type Event, type Host } from '@interleave/core'

import { canonicalJson, storedJson } from '@interleave/core/internal'
import { digestOf, type Signer } from './signer.ts'

/** Returns true if a question was asked again without an answer: a reply to the first one is not for the second. */
export function wasReasked(events: readonly Event[], { seq, ask }: AskedEvent): boolean {
  const next = events
    .slice(seq + 1)
    .find((event) => (event.type === 'asked' ? event.ask.id : event.type === 'replied' && event.ask) === ask.id)
  return next?.type === 'asked'
}

export type AskedEvent = Extract<Event, { type: 'asked' }>
interface AskedBy {
  readonly event: AskedEvent
  /** The id as the journal has it. */
  readonly runId: string
  readonly principal: string
}
interface TokenCheck extends Omit<AskedBy, 'event'> {
  readonly ask: string
  readonly events: readonly Event[]
}

interface ReplyTokensOptions {
  readonly signer: Signer
  readonly host: Pick<Host, 'now'>
  readonly replyMs: number
}

/** Makes tokens that allow one user to answer one question, as it was asked, for a limited time. */
export class ReplyTokens {
  readonly #options: ReplyTokensOptions

  constructor(options: ReplyTokensOptions) {
    this.#options = options
  }

  async sign(asked: AskedBy): Promise<string> {
    const { signer, host, replyMs } = this.#options
    const expiry = Math.min(Math.ceil(host.now() + replyMs), Number.MAX_SAFE_INTEGER)
    return headOf(asked.event, expiry) + (await signer.sign(await textOf(asked, expiry)))
  }

  /** Returns the event that asked the question, if the token was made for it. Throws `token_invalid`. */
  async check(token: string, { events, ask, ...by }: TokenCheck): Promise<AskedEvent> {
    const { signer, host } = this.#options
    const [, seq, given] = token.split('.').map(Number)
    const event = events[seq ?? -1]
    const expiry = given as number
    if (event?.type !== 'asked' || event.ask.id !== ask || !Number.isSafeInteger(expiry)) throw invalid()
    // Its head is formatted again: the same number can be written in several ways.
    const head = headOf(event, expiry)
    const isSigned = await signer.isSigned(await textOf({ event, ...by }, expiry), token.slice(head.length))
    if (!isSigned || !token.startsWith(head) || expiry < host.now()) throw invalid()
    return event
  }
}

const version = 'v1'
const headOf = ({ seq }: AskedEvent, expiry: number): string => `${version}.${seq}.${expiry}.`

/** Returns the signed text. The event has the time of the question, so a new run with an old id rejects old tokens. */
async function textOf({ event, runId, principal }: AskedBy, expiry: number): Promise<string> {
  return canonicalJson([version, runId, await digestOf(canonicalJson(storedJson(event))), principal, expiry])
}

/** Creates the error of an invalid token, the same for every problem. */
const invalid = (): AgentError =>
  new AgentError(
    'token_invalid',
    'This token does not answer this question, or not any more. Read the run for a new one.',
  )
