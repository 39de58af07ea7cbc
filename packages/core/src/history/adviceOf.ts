import { DEV } from '#checks'
import { type ErrorCode, type Failure, isUnreachable } from '../error.ts'
import { assertOption } from '../options.ts'
import { userMessageOf } from './userMessage.ts'

/** The advice about a failure. */
export interface Advice {
  /** For users: a sentence or two, without anything that a provider, a tool or a journal said. See `userMessageOf()`. */
  readonly user: string
  /** For developers; undefined if the message of the failure is sufficient. */
  readonly developer: string | undefined
}

/**
 * Returns what to do about a failure: for the users of an app, and for its developers. Show `user` in a page, and write
 * `developer` to a console, next to the message.
 *
 * @example
 * if (signal.type === 'failed') console.error(signal.error.message, adviceOf(signal.error).developer)
 */
export function adviceOf(failure: Failure): Advice {
  const { code, message }: Partial<Failure> = Object(failure)
  assertOption(typeof message === 'string' && code, DEV && 'adviceOf() needs a failure, such as signal.error.')
  return { user: userMessageOf(failure), developer: developerAdvice(failure) }
}

function developerAdvice({ code, message, status, retryable }: Failure): string | undefined {
  const words = message.slice(0, 2_000)
  if (/API key (is missing|must be a string)/.test(words)) return keyMissing
  if (/ setting (is missing|must be a string)/.test(words)) return settingMissing
  if (/failed to parse url|invalid url/i.test(words)) return urlIncomplete
  if (/(?:does not|doesn't|no) support (?:for )?(?:tool|function)/i.test(words)) return noTools
  return (
    byCode[code] ??
    // The status of an own server says nothing about a model's service.
    (status !== undefined && code === 'model_failed' ? adviceForStatus(status) : undefined) ??
    (isUnreachable(words) ? unreachable : undefined) ??
    (retryable ? 'Try again in a moment.' : undefined)
  )
}

const keyMissing =
  'Give the model an API key: pass `apiKey` to its provider, such as createOpenAI({ apiKey }). Everybody who opens a page can read a key in it, so in production let a server run the agent.'
const settingMissing = "Pass this setting to the model's provider."
const urlIncomplete = 'Give the provider a whole address as `baseURL`, such as "https://example.com/v1".'
const noTools = 'The model cannot call tools. Use one that can, or wrap it with textMode() of @interleave/text.'
const unreachable =
  'Check the network connection and the address of the model. From a page, also check that this service allows calls from pages (CORS); if it does not, let a server run the agent.'

function adviceForStatus(status: number): string | undefined {
  if (status >= 500) return 'The service has a problem. Try again in a moment.'
  return byStatus[status]
}

const byStatus: Readonly<Record<number, string>> = {
  400: "The service does not understand the request. Check the model's name and settings.",
  401: 'Check the API key: the service does not accept it.',
  402: 'Check the credit of the account: the service requires payment.',
  403: 'Check what the API key is allowed to use: the service refuses this model or this location.',
  404: 'Check the name of the model and the address of its provider: the service did not find it.',
  413: 'The conversation is too long for the service. Start a new one, or use compact().',
  429: 'Too many requests, or the credit is used up. Wait a moment and try again, or check the limits of the account.',
}

const byCode: { readonly [Code in ErrorCode]?: string } = {
  context_full: 'The conversation is too long for the model. Start a new one, or use compact().',
  journal_conflict:
    'The run was resumed elsewhere, such as in another tab. Continue there, or try again to continue here.',
  journal_full: 'Free some storage, such as by deleting old runs, and try again.',
  model_idle: 'The model stopped sending. Try again in a moment.',
  model_timeout: 'The model took too long. Try again in a moment.',
  remote_failed: 'Check the network connection and the address of the server.',
  too_large:
    'Send less at once, or raise `bodyBytes` of the limits of the server, and the limits of the file picker with it.',
}
