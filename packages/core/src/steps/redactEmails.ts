import { latestTurn } from '../openCalls.ts'
import type { Step } from '../run.ts'

export interface RedactEmailsOptions {
  /** The replacement of an address; `[email]` by default. */
  mark?: string
}

/**
 * Takes e-mail addresses out of what tools return, before the model is given it. The log keeps what they returned. Stands in
 * `before`, so that after a reload too no turn begins without it.
 */
export const redactEmails =
  ({ mark = '[email]' }: RedactEmailsOptions = {}): Step =>
  (run) => {
    for (const { key: of, result, output } of latestTurn(run.state)?.calls ?? []) {
      const redacted = redact(result, mark)
      if (!redacted || redacted === result) continue
      const amended = { result: redacted, ...(output !== undefined && { output: redact(output, mark) }) }
      run.emit({ type: 'amended', of, ...amended, reason: 'E-mail addresses are redacted.' })
    }
    return undefined
  }

/**
 * Matches words, and addresses in all scripts. Also consumes a word that starts no address, so that no text is read
 * twice.
 */
const wordOrAddress = /[\p{L}\p{N}._%+-]+(?<host>@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24})?/gu

/** The same value where no address is in it. */
function redact<T>(value: T, mark: string): T {
  const text = JSON.stringify(value)
  if (!text?.includes('@')) return value
  const redacted = JSON.parse(text, (_, part) => (typeof part === 'string' ? withoutAddresses(part, mark) : part))
  return JSON.stringify(redacted) === text ? value : redacted
}

const withoutAddresses = (text: string, mark: string): string =>
  text.replace(wordOrAddress, (found: string, host: string | undefined) => (host === undefined ? found : mark))
