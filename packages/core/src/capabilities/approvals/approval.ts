import { checkOptions, DEV } from '#checks'
import { assertOption } from '../../options.ts'
import type { Approval } from '../../tool.ts'
import { approvalBy } from './approve.ts'

export interface ApprovalOptions {
  /** The question; “Allow pay?” by default, with the tool's name. */
  prompt?: string | undefined
  /** The most that a reply may allow for later calls: this call alone, the same input, or all calls of the tool, which is the default. */
  remember?: 'never' | 'input' | 'tool' | undefined
  /** Inputs count as the same if they have the same values of these keys. By default all of the input counts. */
  rememberBy?: readonly string[] | undefined
}

/**
 * Asks a user before a call. The user may edit the input, and allow later calls too, as far as `remember` and `rememberBy` let
 * them. A policy that is a function returns it, or false.
 *
 * @example
 * tool({ inputSchema, approve: approval(), execute: remove })
 * tool({ inputSchema, approve: ({ cents }) => cents > 10_000 && approval(`Pay ${cents / 100} euros?`), execute: pay })
 */
export function approval(words: string | ApprovalOptions = {}): Approval {
  const options = typeof words === 'string' ? { prompt: words } : words
  checkOptions('approval()', options, ['prompt', 'remember', 'rememberBy'])
  const { prompt, remember, rememberBy } = options
  const areKeys =
    Array.isArray(rememberBy) && rememberBy.length > 0 && rememberBy.every((key) => typeof key === 'string')
  assertOption(
    (prompt === undefined || typeof prompt === 'string') &&
      [undefined, 'never', 'input', 'tool'].includes(remember) &&
      (rememberBy === undefined || areKeys),
    DEV &&
      'approval({ prompt, remember, rememberBy }): `prompt` is a text, `remember` is "never", "input" or "tool", `rememberBy` a list of keys of the input.',
  )
  const remembering = {
    ...(remember !== 'tool' && remember && { remember }),
    ...(areKeys && { rememberBy: [...rememberBy] }),
  }
  return approvalBy({ prompt: prompt || undefined, remembering })
}
