import type { ApprovalAsk } from '../permission.ts'
import type { Ask } from '../question.ts'
import type { ParsedInput, ToolsOf } from './chatMessage.ts'

/**
 * An open question of a run.
 *
 * With the type of an agent or a run, comparing `tool` of an approval narrows its `input` to that of the agent's tool, and
 * a reply may have such an input only. A run may also ask about tools that the type does not have, such as those of a
 * bundle or of a sub-agent, whose questions have `from`.
 */
export type RunAsk<Of = unknown> = NamedAsk<ToolsOf<Of>>

type NamedAsk<Tools> = string extends keyof Tools
  ? Ask
  :
      | Exclude<Ask, ApprovalAsk>
      | { [Name in keyof Tools & string]: NamedApproval<Name, Tools[Name]> }[keyof Tools & string]

interface NamedApproval<Name extends string, Tool> extends Omit<ApprovalAsk, 'tool' | 'input'> {
  readonly tool: Name
  readonly input: ParsedInput<Tool>
}
