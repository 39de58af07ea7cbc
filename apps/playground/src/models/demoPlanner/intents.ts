import { type Clause, clausesOf, jointsOf, refersBack } from './clauses.ts'
import { names } from './names.ts'
import { enough, isQuestion, type Score, scoreTools, searchTool } from './scoreTools.ts'
import type { PlannerTool, Toolbox } from './toolbox.ts'

/** A clause with the tool that it means, if any does. */
export interface Intent extends Clause {
  readonly tool: PlannerTool | undefined
  readonly scores: readonly Score[]
}

/** The requests of a message, in order. */
export function intentsOf(message: string, toolbox: Toolbox): Intent[] {
  const clauses = clausesOf(message).flatMap((clause) => splitJoints(clause, toolbox))
  return clauses
    .map((clause) => toIntent(clause, toolbox))
    .flatMap(fanOut)
    .slice(0, 12)
}

function toIntent(clause: Clause, toolbox: Toolbox): Intent {
  const scores = scoreTools(clause.text, toolbox)
  const [best] = scores
  const tool = best && best.points >= enough ? best.tool : searchTool(clause.text, toolbox)
  return { ...clause, tool, scores: scores.slice(0, 3) }
}

/** "A and B" is two requests when each half means a tool by itself. */
function splitJoints(clause: Clause, toolbox: Toolbox): Clause[] {
  const isOwn = (text: string): boolean =>
    (scoreTools(text, toolbox)[0]?.points ?? 0) >= enough ||
    (isQuestion(text) && searchTool(text, toolbox) !== undefined)
  const joint = jointsOf(clause.text).find(({ left, right }) => isOwn(left) && isOwn(right))
  if (!joint) return [clause]
  const right = { text: joint.right, chained: refersBack(joint.right) }
  return [{ ...clause, text: joint.left }, ...splitJoints(right, toolbox)]
}

/** "Weather in Lisbon and Porto" is one request for each, if the tool takes one place at a time. */
function fanOut(intent: Intent): Intent[] {
  const single = (intent.tool?.slots ?? []).filter(({ kind, required, many }) => kind === 'name' && required && !many)
  if (single.length !== 1) return [intent]
  const found = names(intent.text)
  const group = found.filter(
    (mention, index) => index === 0 || isJoined(intent.text, { from: found[index - 1]?.end ?? 0, to: mention.start }),
  )
  const [first, last] = [group[0], group.at(-1)]
  if (!first || !last || group.length < 2) return [intent]
  const [before, after] = [intent.text.slice(0, first.start), intent.text.slice(last.end)]
  return group.slice(0, 6).map(({ value }) => ({ ...intent, text: `${before}${value}${after}` }))
}

const isJoined = (text: string, { from, to }: { from: number; to: number }): boolean =>
  /^(?:,|,? ?(?:and|&|or))(?: ?(?:in|for))?$/i.test(text.slice(from, to).trim().split(/\s+/).join(' '))
