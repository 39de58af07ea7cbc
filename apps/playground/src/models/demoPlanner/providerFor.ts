import { scoreTools } from './scoreTools.ts'
import type { Slot } from './slot.ts'
import { concepts } from './tokenise.ts'
import type { PlannerTool, Toolbox } from './toolbox.ts'

interface Providing {
  /** The tool that lacks the value. */
  readonly tool: PlannerTool
  /** What the user wants. */
  readonly text: string
  readonly toolbox: Toolbox
  /** The names of tools that were called already. */
  readonly tried: readonly string[]
}

/** The tool that can find what a slot needs: its words share the slot's noun, and it looks up rather than changes. */
export function providerFor(slot: Slot, { tool, text, toolbox, tried }: Providing): PlannerTool | undefined {
  if (slot.kind !== 'id' && slot.kind !== 'text') return undefined
  const nouns = slot.concepts.filter((key) => key !== 'id' && key !== 'name')
  const others = { ...toolbox, tools: toolbox.tools.filter((other) => other !== tool) }
  return scoreTools(text, others)
    .map(({ tool: other, points }) => ({ other, shared: sharedOf(other, nouns), points }))
    .filter(({ other, shared }) => shared > 0 && looksUp(other) && !tried.includes(other.name))
    .toSorted((a, b) => b.points + b.shared - (a.points + a.shared))[0]?.other
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
