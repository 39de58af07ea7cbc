import { command as ofRun } from '@interleave/core/internal'
import type { Shape } from '@interleave/core/shapes'
import * as shapes from '@interleave/core/shapes'
import type { RestateSdk } from './sdk.ts'

const { count, json, listOf, maybe, oneOf, shapeOf, text } = shapes

type Asking = 'append' | 'claim' | 'ask' | 'start'

const start = shapeOf({ type: oneOf('start'), agent: text, input: json, key: maybe(text) })
const anyCommand = shapeOf({ type: text })
const commandOfRun = new Set(['say', 'reply', 'stop', 'resume'])
const command: Shape = (value) => {
  const { type } = Object(value) as { readonly type?: unknown }
  if (type === 'start') return start(value)
  return commandOfRun.has(String(type)) ? ofRun(value) : anyCommand(value)
}

const inputs: Readonly<Record<Asking, Shape>> = {
  append: shapeOf({ id: text, events: listOf(shapeOf({ seq: count, type: text }), 1), epoch: maybe(count) }),
  claim: count,
  ask: shapeOf({ id: text, command }),
  start: shapeOf({ id: text, command: start }),
}

/**
 * Validates the input of a handler. An invalid request is rejected at once, because retries would not help and would
 * block the run.
 */
export function checkInput(
  handler: Asking,
  input: unknown,
  { TerminalError }: Pick<RestateSdk, 'TerminalError'>,
): void {
  const wrong = inputs[handler](input)
  if (wrong === undefined) return
  const why = wrong === '' ? 'it is something else' : `a wrong or missing "${wrong}"`
  throw new TerminalError(`This is nothing for ${handler}: ${why}. Use restateAgent() or restateJournal().`, {
    errorCode: 400,
  })
}
