import { DEV } from '#checks'
import { type ErrorCode, type Failure, isAgentError, toFailure } from '../error.ts'
import { assertOption } from '../options.ts'

/**
 * Returns what users read about an error: what they can do, in a sentence or two, and nothing of what a provider, a tool
 * or a journal said. It is the error's own `userMessage`, and otherwise the sentence of its `code`, which `sentences`
 * replaces, for example in another language.
 *
 * @example
 * if (signal.type === 'failed') return <p role="alert">{userMessageOf(signal.error)}</p>
 */
export function userMessageOf(error: unknown, sentences: FailureSentences = {}): string {
  assertOption(error !== undefined && error !== null, DEV && 'userMessageOf() needs an error, such as signal.error.')
  const failure = isFailure(error) ? error : toFailure(error, isAgentError(error) ? error.code : 'step_failed')
  const { code, message, userMessage } = failure
  if (userMessage) return userMessage
  if (spoken.has(code) && message) return message
  const own = Object.hasOwn(sentences, code) ? sentences[code] : undefined
  return own ?? (Object.hasOwn(failureSentences, code) ? failureSentences[code] : ownFault)
}

/** Sentences for users, by the code of an error. */
export type FailureSentences = { readonly [Code in ErrorCode]?: string }

/** Codes whose messages are written for users: by a guard, by the check of a reply, or by the user who refused a call. */
const spoken: ReadonlySet<ErrorCode> = new Set(['approval_changed', 'guard_blocked', 'reply_invalid', 'tool_refused'])

const isFailure = (error: unknown): error is Failure => {
  const { code, message } = Object(error) as Partial<Failure>
  return typeof code === 'string' && typeof message === 'string'
}

const again = 'Try again in a moment.'
const toOperator = 'If it happens again, tell those who run this app.'
const noAnswer = `No answer came. ${again}`
const noUsableAnswer = 'No usable answer came. Try again, or ask in other words.'
const ownFault = `Something is wrong with this app. ${toOperator}`
const stepFailed = 'This step did not work.'

/** The sentence that users read for each code, unless the app has words of its own. */
export const failureSentences: Readonly<Record<ErrorCode, string>> = {
  agent_mismatch: 'This conversation cannot be continued here. Start a new one.',
  answer_invalid: noUsableAnswer,
  answer_missing: noUsableAnswer,
  approval_changed: 'This would do something else now. Look at it again.',
  ask_unknown: 'This question is no longer open.',
  call_repeated: 'The same was tried again and again without success. Ask in other words.',
  config_invalid: ownFault,
  context_full: 'This conversation is too long. Start a new one.',
  graph_invalid: ownFault,
  guard_blocked: 'This is not allowed here. Ask in other words.',
  guard_failed: `This could not be checked. ${again}`,
  interrupted: 'This was interrupted. Try again.',
  invariant_broken: ownFault,
  journal_conflict:
    'This was continued elsewhere, such as in another tab. Continue there, or try again to continue here.',
  journal_failed: `The conversation cannot be saved or read at the moment. ${again}`,
  journal_full: 'There is no storage left. Delete some old conversations, and try again.',
  json_invalid: ownFault,
  log_invalid: 'This conversation is damaged. Start a new one.',
  model_failed: `The model cannot answer at the moment. ${again} ${toOperator}`,
  model_filtered: 'The model may not answer this. Ask in other words.',
  model_idle: `The answer broke off. ${again}`,
  model_incomplete: `The answer broke off. ${again}`,
  model_malformed: noUsableAnswer,
  model_timeout: `The answer took too long. ${again}`,
  model_too_large: 'The answer became too long. Ask for less at once.',
  not_allowed: 'You may not do this. Sign in, and try again.',
  options_invalid: ownFault,
  remote_failed: `The service cannot be reached. Check your connection, and try again.`,
  reply_invalid: 'This answer does not fit the question. Answer again.',
  request_invalid: ownFault,
  run_busy: 'This is not possible at the moment. Answer the open question, or wait until the work is done.',
  run_unknown: 'This conversation does not exist any more. Start a new one.',
  schema_unsupported: ownFault,
  server_failed: `The service has a problem. ${again} ${toOperator}`,
  stalled: noAnswer,
  state_invalid: 'This conversation cannot be continued. Start a new one.',
  step_failed: `Something went wrong. ${again} ${toOperator}`,
  stopped: 'This was stopped.',
  token_invalid: 'This question was open for too long. Reload the page, and answer again.',
  too_deep: ownFault,
  too_large: 'This is too large. Send less at once, such as smaller or fewer files.',
  too_many: 'This is too much at once. Wait a moment, and try again.',
  tool_failed: stepFailed,
  tool_input_invalid: stepFailed,
  tool_interrupted: 'This step was interrupted, and may have happened.',
  tool_refused: 'Refused.',
  tool_skipped: 'This step was skipped.',
  tool_timeout: 'This step took too long.',
  tool_unknown: stepFailed,
  tools_unavailable: `A service that this needs cannot be reached. ${again} ${toOperator}`,
  worker_failed: 'This page has a problem. Reload it.',
}

/** Returns a failure as users may see it: its code and the sentence for users. */
export const userFailure = ({ code, message, retryable, userMessage }: Failure): Failure => ({
  code,
  message: userMessageOf({ code, message, retryable, userMessage }),
  retryable,
  ...(userMessage && { userMessage }),
})
