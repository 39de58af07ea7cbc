import { orStopped } from '../engine/wait.ts'
import { AgentError } from '../error.ts'
import type { RunContext } from '../run.ts'
import type { Checked } from '../schema.ts'
import type { ToolSpec } from '../tool.ts'

/**
 * Returns the context of the run as the tool's schema parses it, for the tool and its policy. The call has not begun, so
 * an invalid input is a plain failure.
 */
export function contextFor(run: RunContext, spec: ToolSpec): unknown {
  if (!spec.context) return run.context
  const value = (checked: Checked): unknown => {
    if (checked.ok) return checked.value
    const why = run.context === undefined ? 'The run has no context.' : `It does not fit: ${checked.message}`
    throw new AgentError(
      'tool_failed',
      `The tool "${spec.name}" needs the \`context\` that its contextSchema describes. ${why} Pass it to start() and resume(), or return it from \`authorize\` or \`contextOf\` of the server.`,
    )
  }
  const checking = spec.context.check(run.context)
  return 'then' in checking ? orStopped(checking, run.abortSignal).then(value) : value(checking)
}
