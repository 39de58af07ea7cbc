import { type Allowed, type ApprovalAsk, comparedInput, originOf } from '../../allowed.ts'
import { sameJson } from '../../json.ts'
import { mayAllow } from '../../question.ts'

/** Returns the permission that answers this question, if there is one. */
export const permissionFor = (all: readonly Allowed[] | undefined, ask: ApprovalAsk): Allowed | undefined =>
  all?.findLast((one) => allows(one, ask))

/** Returns true if the tool has not changed, nor the input if that matters. */
function allows({ always, ask: was, input }: Allowed, is: ApprovalAsk): boolean {
  if (was.tool !== is.tool || !mayAllow(is, always) || !sameJson(toolOf(was), toolOf(is))) return false
  return always === 'tool' || sameJson(comparedInput(was, input), comparedInput(is, is.input))
}

/** Returns everything about the tool that a user relies on. A child run of the same agent has the same tool. */
const toolOf = ({ from, agent, description, schema, pure, allowBy }: ApprovalAsk): object => ({
  from: originOf(from),
  agent,
  description,
  schema,
  pure,
  allowBy,
})
