import { arithmetic } from './arithmetic.ts'
import { refersBack } from './clauses.ts'
import type { Observation } from './conversation.ts'
import { directionOf } from './direction.ts'
import type { Evidence } from './evidence.ts'
import { numberOf, textOf, unitOf } from './resultValue.ts'
import type { Slot } from './slot.ts'
import type { PlannerTool } from './toolbox.ts'

interface Passing {
  readonly evidence: Pick<Evidence, 'clause' | 'chained' | 'previous'>
  readonly values: ReadonlyMap<string, unknown>
}

/** The values that the result of the call before gives to the fields of this one that it fits. */
export function passOn(tool: PlannerTool, { evidence, values }: Passing): Map<string, unknown> {
  const { clause, chained, previous } = evidence
  if (!chained || previous?.status !== 'ok') return new Map()
  const it = numberOf(previous, clause)
  const passed = passNumber(tool, it, values)
  for (const slot of tool.slots) {
    if (passed.has(slot.name) || (values.has(slot.name) && !refersBack(String(values.get(slot.name))))) continue
    const value = passedTo(slot, { clause, it, previous })
    if (value !== undefined) passed.set(slot.name, value)
  }
  return passed
}

/** "Multiply it by 4": where a number is lacking the result comes first, and the 4 second. */
function passNumber(
  { slots }: PlannerTool,
  it: number | undefined,
  values: ReadonlyMap<string, unknown>,
): Map<string, unknown> {
  const passed = new Map<string, unknown>()
  const own = slots.filter(({ kind, required, many }) => kind === 'number' && required && !many)
  const lacking = own.find(({ name }) => !values.has(name))
  const [first] = own
  if (it === undefined || !first || !lacking) return passed
  if (values.has(first.name)) passed.set(lacking.name, values.get(first.name))
  return passed.set(first.name, it)
}

interface Passed {
  readonly clause: string
  readonly it: number | undefined
  readonly previous: Observation
}

function passedTo(slot: Slot, { clause, it, previous }: Passed): unknown {
  if (slot.kind === 'expression') return it === undefined ? undefined : arithmetic(clause, it)
  if (slot.kind === 'unit' && directionOf(slot) !== 'target') return unitOf(previous)
  const takesText = slot.required && (slot.kind === 'text' || slot.kind === 'query')
  return takesText && refersBack(clause) ? textOf(previous) : undefined
}
