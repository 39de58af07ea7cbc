import { AgentError, isAgentError } from '@interleave/core'
import { messageOf } from '@interleave/core/internal'

/** The state of the browser's model; `absent`: this browser or this context has no Prompt API. */
export type BuiltInAvailability = 'absent' | 'unavailable' | 'downloadable' | 'downloading' | 'available'

/** Returns why the model cannot be called now, and what to do. */
export function notReady(state: Exclude<BuiltInAvailability, 'available'>, loaded: number | undefined): AgentError {
  const progress = loaded === undefined ? '' : ` ${Math.floor(loaded * 100)}% have arrived.`
  const words: Readonly<Record<typeof state, string>> = {
    absent:
      'This browser has no built-in model here. Chrome has one from version 148 on desktops, in pages over HTTPS and not in workers. Use another model.',
    unavailable:
      'The built-in model is unavailable on this device. Chrome wants 22 GB of free disk, and 4 GB of video memory or 16 GB of memory. Use another model.',
    downloadable: 'The built-in model is not downloaded yet. Call prepare() in a click, then try again.',
    downloading: `The browser is downloading its built-in model.${progress} Try again when it is done, or wait for prepare().`,
  }
  return new AgentError('model_failed', words[state])
}

/**
 * Converts an error of the Prompt API to one that says what to do. A call that the caller aborted fails with its
 * reason.
 */
export function promptError(error: unknown, caller: AbortSignal | undefined): unknown {
  if (caller?.aborted) return caller.reason
  if (isAgentError(error)) return error
  const said = messageOf(error)
  const { code, words, retryable = false } = kinds.get(Object(error).name) ?? unknownKind
  return new AgentError(code, `${words} The browser says: ${said.slice(0, 500)}`, { cause: error, retryable })
}

interface Kind {
  readonly code: 'context_full' | 'model_failed' | 'model_filtered'
  readonly words: string
  readonly retryable?: boolean
}

const unknownKind: Kind = { code: 'model_failed', words: 'The built-in model failed.', retryable: true }

const kinds: ReadonlyMap<unknown, Kind> = new Map(
  Object.entries({
    // The caller has not aborted it.
    AbortError: {
      code: 'model_failed',
      words: 'The browser stopped its built-in model. Try again.',
      retryable: true,
    },
    QuotaExceededError: {
      code: 'context_full',
      words: 'The conversation is too long for the built-in model. Use compact(), or another model.',
    },
    NotAllowedError: {
      code: 'model_failed',
      words:
        'The browser does not allow the built-in model here. Call prepare() in a click; frames need the permission "language-model".',
    },
    NotSupportedError: {
      code: 'model_failed',
      words: 'The built-in model does not support this. Check the `languages`, and the schemas of the tools.',
    },
    NotReadableError: {
      code: 'model_filtered',
      words: 'The browser blocked the answer of its model. Rephrase the request.',
    },
  }),
)
