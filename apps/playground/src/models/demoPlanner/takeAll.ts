import { type Slot, type SlotKind, slotsOfSchema } from './slot.ts'
import { takeFrom } from './takeFrom.ts'
import type { TextReader } from './textReader.ts'

/** The kinds whose form is surest take their words first. */
const order: readonly SlotKind[] = [
  'url',
  'email',
  'choice',
  'date',
  'expression',
  'unit',
  'number',
  'id',
  'name',
  'query',
  'text',
  'boolean',
  'object',
]

/** Returns the values that a text has for each slot, by name. */
export function takeAll(slots: readonly Slot[], reader: TextReader): Map<string, unknown> {
  const values = new Map<string, unknown>()
  const sorted = slots.toSorted(
    (a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || Number(b.required) - Number(a.required),
  )
  for (const slot of sorted) {
    const value = slot.kind === 'object' ? takeObject(slot, reader) : takeFrom(reader, slot)
    if (value !== undefined) values.set(slot.name, slot.many && !Array.isArray(value) ? [value] : value)
  }
  return values
}

function takeObject({ schema }: Slot, reader: TextReader): Record<string, unknown> | undefined {
  const slots = slotsOfSchema(schema)
  const values = takeAll(slots, reader)
  const isWhole = values.size > 0 && slots.every(({ name, required }) => !required || values.has(name))
  return isWhole ? Object.fromEntries(values) : undefined
}
