import { candidatesFor } from './candidates.ts'
import type { Observation } from './conversation.ts'
import type { Decision } from './evidence.ts'
import { numberOf } from './resultValue.ts'
import { type Slot, slotsOfSchema } from './slot.ts'
import { takeFrom } from './takeFrom.ts'
import { textReader } from './textReader.ts'
import type { Toolbox } from './toolbox.ts'

interface Finishing {
  readonly toolbox: Toolbox
  readonly observations: readonly Observation[]
  readonly request: string
  readonly thoughts: readonly string[]
}

/** Ends with the text, or through the tool that gives the final answer, its fields filled from the results. */
export function finish(text: string, { toolbox: { final }, observations, request, thoughts }: Finishing): Decision {
  if (!final) return { type: 'say', thoughts, text }
  const input: Record<string, unknown> = {}
  for (const slot of final.slots) {
    const reader = textReader(request, { tool: final, now: new Date(0) })
    const value = fieldOf(slot, { text, observations, said: () => takeFrom(reader, slot) })
    if (value !== undefined) input[slot.name] = value
    else if (slot.required) return { type: 'fail', thoughts, message: lacking(slot, { final: final.name, text }) }
  }
  return {
    type: 'call',
    thoughts: [...thoughts, `I give the answer with ${final.name}.`],
    calls: [{ tool: final.name, input }],
  }
}

const lacking = ({ name }: Slot, { final, text }: { final: string; text: string }): string =>
  `The demo planner has no value for "${name}" of ${final}. What it would say: ${text}`

interface Field {
  readonly text: string
  readonly observations: readonly Observation[]
  readonly said: () => unknown
}

function fieldOf(slot: Slot, { text, observations, said }: Field): unknown {
  const candidates = candidatesFor(slot, observations)
  const results = observations.filter(({ status }) => status === 'ok')
  if (slot.many) return slot.kind === 'object' ? recordsOf(slot, results) : listOf(slot, { candidates, text })
  if (slot.options.length > 0) return slot.options.find((option) => option === candidates[0]?.value) ?? said()
  switch (slot.kind) {
    case 'number':
      return (
        candidates[0]?.value ??
        results
          .toReversed()
          .map((result) => numberOf(result, slot.name))
          .find((number) => number !== undefined)
      )
    case 'boolean':
      return results.length > 0 && results.length === observations.length
    case 'object':
      return recordsOf(slot, results)[0]
    case 'date':
    case 'url':
    case 'email':
    case 'id':
    case 'unit':
    case 'name':
      return candidates[0]?.value ?? said() ?? (slot.required && slot.schema.format === undefined ? text : undefined)
    default:
      return typeof candidates[0]?.value === 'string' ? candidates[0].value : text
  }
}

function listOf(
  { kind, schema }: Slot,
  { candidates, text }: { candidates: ReturnType<typeof candidatesFor>; text: string },
): unknown[] {
  if (candidates.length > 0) return candidates.map(({ value }) => value)
  return kind === 'number' || schema.format !== undefined ? [] : [text]
}

/** The records in the results that have all the fields of the slot. */
function recordsOf({ schema }: Slot, results: readonly Observation[]): Record<string, unknown>[] {
  const fields = slotsOfSchema(schema)
  const required = fields.filter((field) => field.required)
  const [first] = required
  if (!first) return []
  return candidatesFor(first, results).flatMap(({ record }) =>
    required.every(({ name }) => record[name] !== undefined)
      ? [Object.fromEntries(fields.flatMap(({ name }) => (record[name] === undefined ? [] : [[name, record[name]]])))]
      : [],
  )
}
