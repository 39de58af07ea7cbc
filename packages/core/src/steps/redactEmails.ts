import { latestTurn } from '../openCalls.ts'
import type { Step } from '../run.ts'

export interface RedactEmailsOptions {
  /** What stands in place of an address; `[email]` by default. */
  mark?: string
}

/**
 * Takes e-mail addresses out of what tools return, before the model is given it. The log keeps what they returned. Stands in
 * `before`, so that after a reload too no turn begins without it.
 */
export const redactEmails =
  ({ mark = '[email]' }: RedactEmailsOptions = {}): Step =>
  (run) => {
    for (const { key: of, result } of latestTurn(run.state)?.calls ?? []) {
      const text = JSON.stringify(result)
      if (!text?.includes('@')) continue
      const redacted = JSON.parse(text, (_, value) => (typeof value === 'string' ? redact(value, mark) : value))
      if (JSON.stringify(redacted) === text) continue
      run.emit({ type: 'amended', of, result: redacted, reason: 'E-mail addresses are redacted.' })
    }
    return undefined
  }

/** Addresses as people write them, and those of other scripts. Each part is bounded, so that no text takes long. */
const address = /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/gu

const redact = (text: string, mark: string): string => text.replace(address, () => mark)
