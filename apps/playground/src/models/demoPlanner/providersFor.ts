import { scoreTools } from './scoreTools.ts'
import type { Slot } from './slot.ts'
import { concepts } from './tokenise.ts'
import type { PlannerTool, Toolbox } from './toolbox.ts'

interface Providing {
  /** The tool that lacks the value. */
  readonly tool: PlannerTool
  /** The user's request. */
  readonly text: string
  readonly toolbox: Toolbox
}

/** The tools that can find what a slot needs: their words share the slot's noun, and they look up rather than change. The likeliest first. */
export function providersFor(slot: Slot, { tool, text, toolbox }: Providing): PlannerTool[] {
  if (slot.kind !== 'id' && slot.kind !== 'text') return []
  // The name of a text field tells if it can be looked up; its description does not.
  const own = slot.kind === 'text' ? concepts(slot.name) : slot.concepts
  const nouns = own.filter((key) => key !== 'id' && key !== 'name' && key !== 'text')
  const others = { ...toolbox, tools: toolbox.tools.filter((other) => other !== tool) }
  return scoreTools(text, others)
    .map(({ tool: other, points }) => ({ other, shared: sharedOf(other, nouns), points }))
    .filter(({ other, shared }) => shared > 0 && looksUp(other))
    .toSorted((a, b) => b.points + b.shared - (a.points + a.shared))
    .map(({ other }) => other)
}

const sharedOf = ({ weights }: PlannerTool, nouns: readonly string[]): number =>
  nouns.filter((noun) => (weights.get(noun) ?? 0) >= 1.5).length

const lookups = concepts('search list read get open load browse')
const looksUp = ({ name, description }: PlannerTool): boolean => {
  const own = concepts(`${name} ${description}`)
  return (
    /^(?:get|search|find|list|read|open|load|fetch|browse|pick|ask|choose)/i.test(name) ||
    lookups.some((key) => own.includes(key))
  )
}
