import type { Evidence, Missing } from './evidence.ts'
import { findValue } from './findValue.ts'
import { passOn } from './passOn.ts'
import { takeAll } from './takeAll.ts'
import { type TextReader, textReader } from './textReader.ts'
import type { PlannerTool } from './toolbox.ts'

export interface Filled {
  readonly input: Readonly<Record<string, unknown>>
  /** The values that the user has to be asked for. */
  readonly missing: readonly Missing[]
  /** The source of each value, in words. */
  readonly notes: readonly string[]
}

/** Fills a tool's input from the words, the results and the answers there are; says what is missing. */
export function fillSlots(tool: PlannerTool, evidence: Evidence): Filled {
  const read = (text: string): TextReader => textReader(text, { tool, now: evidence.now })
  const clause = read(evidence.clause)
  const fromClause = takeAll(tool.slots, clause)
  const around = evidence.around.map(read)
  const passed = passOn(tool, { evidence, values: fromClause })
  const input: Record<string, unknown> = {}
  const missing: Missing[] = []
  const notes: string[] = []
  for (const slot of tool.slots) {
    const found = findValue(slot, { tool, evidence, fromClause, passed, around, rest: clause.rest() })
    if ('value' in found) {
      input[slot.name] = found.value
      notes.push(`${slot.name} = ${JSON.stringify(found.value)} (${found.from})`)
    } else if (slot.required) missing.push(found)
  }
  return { input, missing, notes }
}
