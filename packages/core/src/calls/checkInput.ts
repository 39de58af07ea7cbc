import { orStopped } from '../engine/wait.ts'
import { AgentError } from '../error.ts'
import { type Json, toJson } from '../json.ts'
import type { RunContext } from '../run.ts'
import type { Checked } from '../schema.ts'
import type { Call } from '../state.ts'
import type { ToolSpec } from '../tool.ts'
import { copyInput } from './copyInput.ts'

/** Returns the input as the model wrote it, even if the user has changed it. */
export const givenBy = ({ proposed, input }: Call): Json => proposed ?? input

interface Checking {
  readonly run: RunContext
  readonly spec: ToolSpec
}

/** Returns the input as the tool's schema parses it, or a problem for the model. */
export function checkInput({ run, spec }: Checking, input: unknown): unknown {
  // A schema may return the very object that it gets, and the tool may change it: the state has its own.
  const checking = spec.schema.check(toJson(input))
  const value = (checked: Checked): unknown => {
    // A default of the schema is the same object each time.
    if (checked.ok) return copyInput(checked.value)
    throw new AgentError('tool_input_invalid', `The input of ${spec.name} does not fit its schema: ${checked.message}`)
  }
  return 'then' in checking ? orStopped(checking, run.abortSignal).then(value) : value(checking)
}
