import { sameJson } from '../../json.ts'
import { type ApprovalAsk, comparedInput, originOf, type Permission } from '../../permission.ts'
import { mayRemember } from '../../question.ts'

/** Returns the permission that answers this question, if there is one. */
export const permissionFor = (all: readonly Permission[] | undefined, ask: ApprovalAsk): Permission | undefined =>
  all?.findLast((one) => allows(one, ask))

/** Returns true if the tool has not changed, nor the input if that matters. */
function allows({ scope, ask: was, input }: Permission, is: ApprovalAsk): boolean {
  if (was.tool !== is.tool || !mayRemember(is, scope) || !sameJson(toolOf(was), toolOf(is))) return false
  return scope === 'tool' || sameJson(comparedInput(was, input), comparedInput(is, is.input))
}

/** Returns everything about the tool that a user relies on. A child run of the same agent has the same tool. */
const toolOf = ({ from, agent, description, schema, readOnly, rememberBy }: ApprovalAsk): object => ({
  from: originOf(from),
  agent,
  description,
  schema,
  readOnly,
  rememberBy,
})
