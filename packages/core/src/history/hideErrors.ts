import type { LanguageModelV4Message, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import type { Failure } from '../error.ts'
import type { AnyEvent, Event } from '../event.ts'
import { notedLog } from '../journal/runFile.ts'
import { asJson, isObject, type Json } from '../json.ts'
import type { Part } from '../part.ts'
import type { Signal } from '../signal.ts'
import { failureSentences, userFailure } from './userMessage.ts'

/**
 * Returns an event as users may see it: of each failure its code and the sentence for users, and nothing that a
 * provider, a tool or a journal said. Everything else is unchanged.
 */
export function hideErrors<E extends AnyEvent>(event: E): E
export function hideErrors(event: AnyEvent): AnyEvent {
  switch (event.type) {
    case 'settled':
      return event.signal.type === 'failed' ? { ...event, signal: shownSignal(event.signal) } : event
    case 'thought': {
      const { warnings: _, ...turn } = event
      return { ...turn, parts: turn.parts.map(shownPart), ...shownError(turn) }
    }
    case 'observed':
      return { ...event, result: shownResult(event.result, event.error), ...shownError(event) }
    case 'amended':
      return event.result ? { ...event, result: shownResult(event.result) } : event
    case 'compacted':
    case 'seeded':
      return { ...event, messages: event.messages.map(shownMessage) }
    case 'noted':
      return { ...event, value: shownNote(event) }
    case 'retrying':
      return { ...event, error: userFailure(event.error) }
    default:
      return event
  }
}

/** Hides the errors in a note: the log of a child run, or the failure of a side call or of an attempt. */
function shownNote(event: Extract<Event, { type: 'noted' }>): Json {
  const noted = notedLog(event)
  return noted ? asJson(noted.log.map((inner) => hideErrors(inner))) : shownJson(event.value)
}

function shownJson(value: Json): Json {
  if (Array.isArray(value)) return value.map(shownJson)
  if (!isObject(value)) return value
  if (isFailure(value)) return { ...userFailure(value) }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shownJson(member ?? null)]))
}

const isFailure = (value: object): value is Failure => {
  const { code, message, retryable } = value as Partial<Record<string, unknown>>
  const isCode = typeof code === 'string' && Object.hasOwn(failureSentences, code)
  return isCode && typeof message === 'string' && typeof retryable === 'boolean'
}

const shownSignal = (signal: Extract<Signal, { type: 'failed' }>): Signal => ({
  ...signal,
  error: userFailure(signal.error),
})

const shownError = ({ error }: { readonly error?: Failure }): { readonly error?: Failure } =>
  error ? { error: userFailure(error) } : {}

const unknownFailure: Failure = { code: 'tool_failed', message: '', retryable: false }

/** Returns what the model receives of a call. Of an error it is the sentence for users. */
function shownResult(
  result: LanguageModelV4ToolResultOutput,
  error: Failure = unknownFailure,
): LanguageModelV4ToolResultOutput {
  switch (result.type) {
    case 'error-text':
    case 'error-json':
      return { ...result, type: 'error-text', value: userFailure(error).message }
    default:
      // The reason of a denial is from a user, or from a guard for users.
      return result
  }
}

/** Hides the errors of tools that the provider runs. */
const shownPart = (part: Part): Part =>
  part.type === 'tool-result' && part.isError === true ? { ...part, result: userFailure(unknownFailure).message } : part

function shownMessage(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== 'tool' && message.role !== 'assistant') return message
  const content = message.content.map((part) =>
    part.type === 'tool-result' ? { ...part, output: shownResult(part.output) } : part,
  )
  return { ...message, content } as LanguageModelV4Message
}
