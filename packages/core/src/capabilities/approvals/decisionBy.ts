import { DEV } from '#checks'
import { assertOption } from '../../options.ts'
import type { Decision } from '../../tool.ts'
import { type ApprovalOptions, approval } from './approval.ts'

/** Converts the word of a policy that other packages take, or a config: whether to ask, or the prompt. */
export function decisionBy(asks: boolean | string, options: ApprovalOptions = {}): Decision {
  assertOption(
    typeof asks === 'boolean' || typeof asks === 'string',
    DEV && `\`approve\` returned a value of the type ${typeof asks}. Return true, false, or the prompt as a string.`,
  )
  return asks !== false && approval({ ...options, ...(typeof asks === 'string' && { prompt: asks }) })
}
