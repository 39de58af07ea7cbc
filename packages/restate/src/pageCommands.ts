import { isToolAnswer, type ToolAnswer, type WantedCall } from '@interleave/connect/internal'
import { AgentError } from '@interleave/core'
import type { Shape } from '@interleave/core/shapes'
import * as shapes from '@interleave/core/shapes'

/** The offer of a page for a call. */
export interface LendCommand extends WantedCall {
  readonly type: 'lend'
}
/** The result of a remote call. */
export interface PerformedCommand {
  readonly type: 'performed'
  /** The id of the lease. */
  readonly lent: string
  /** Nobody knows how far it came where there is none, since the page is gone. */
  readonly answer?: ToolAnswer
}

const { maybe, shapeOf, text } = shapes
const toolAnswer: Shape = (value) => (isToolAnswer(value) ? undefined : '')
const known = {
  lend: shapeOf({ call: text, tool: text }),
  performed: shapeOf({ lent: text, answer: maybe(toolAnswer) }),
}

/** Throws for what another version of this package may have meant. */
export function checkPageCommand(command: LendCommand | PerformedCommand): void {
  const wrong = known[command.type](command)
  if (wrong === undefined) return
  throw new AgentError('request_invalid', `What is asked for a page has a wrong or missing "${wrong}".`)
}
