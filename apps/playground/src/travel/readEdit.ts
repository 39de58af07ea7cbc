import type { Json } from '@interleave/core'
import { messageOf } from '@interleave/core/internal'
import type { ForkEdit } from '@interleave/core/journal'
import type { Editable } from './editable.ts'

/** The edit that was typed, or the reason why it is invalid. An unchanged text is no edit. */
export type ReadEdit =
  | { readonly ok: true; readonly edit: ForkEdit | undefined }
  | { readonly ok: false; readonly problem: string }

/** Returns the content of an event as the text of a field. */
export const toField = (editable: Editable): string =>
  editable.type === 'message' ? editable.text : textOf(editable.type === 'reply' ? editable.value : editable.output)

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

/** Reads the field back: a text stays a text, and anything else is JSON. */
export function readEdit(editable: Editable, field: string): ReadEdit {
  if (field === toField(editable)) return { ok: true, edit: undefined }
  if (editable.type === 'message')
    return field.trim()
      ? { ok: true, edit: { content: field.trim() } }
      : { ok: false, problem: 'A message needs a text.' }
  const before = editable.type === 'reply' ? editable.value : editable.output
  const read = typeof before === 'string' ? { ok: true as const, value: field } : parsed(field)
  if (!read.ok) return read
  return { ok: true, edit: editable.type === 'reply' ? { value: read.value } : { output: read.value } }
}

function parsed(
  field: string,
): { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly problem: string } {
  try {
    return { ok: true, value: JSON.parse(field) as Json }
  } catch (error) {
    return { ok: false, problem: `This is no JSON: ${messageOf(error)}` }
  }
}
