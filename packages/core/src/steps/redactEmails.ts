import { type KnownOptions, refuseUnknown } from '../options.ts'
import type { Step } from '../run.ts'
import { latestTurn } from '../state.ts'

export interface RedactEmailsOptions {
  /** The replacement of an address; `[email]` by default. */
  mark?: string
}

const redactEmailsOptions: KnownOptions<RedactEmailsOptions> = { mark: 'a string' }

/**
 * Removes e-mail addresses from tool output before the model receives it. The log keeps the output. For `before`, so
 * that no turn starts without it, also after a reload.
 */
export function redactEmails(options: RedactEmailsOptions = {}): Step {
  refuseUnknown('redactEmails()', options, redactEmailsOptions)
  const { mark = '[email]' } = options
  return (run) => {
    for (const { key: of, result, output } of latestTurn(run.state)?.calls ?? []) {
      const redacted = redact(result, mark)
      if (!redacted || redacted === result) continue
      const amended = { result: redacted, ...(output !== undefined && { output: redact(output, mark) }) }
      run.emit({ type: 'amended', of, ...amended, reason: 'E-mail addresses are redacted.' })
    }
    return undefined
  }
}

/** Matches words, and addresses in all scripts. It consumes each word, so no text is read twice. */
const wordOrAddress = /[\p{L}\p{N}._%+-]+(?<host>@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24})?/gu

/** Returns the value without addresses; the same value if it has none. */
function redact<T>(value: T, mark: string): T {
  const text = JSON.stringify(value)
  if (!text?.includes('@')) return value
  const redacted = JSON.parse(text, (_, part) => (typeof part === 'string' ? withoutAddresses(part, mark) : part))
  return JSON.stringify(redacted) === text ? value : redacted
}

const withoutAddresses = (text: string, mark: string): string =>
  text.replace(wordOrAddress, (found: string, host: string | undefined) => (host === undefined ? found : mark))
