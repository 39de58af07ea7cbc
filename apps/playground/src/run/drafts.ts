import { own, parseStored } from '../parts/objects.ts'
import type { Edit, Edits } from './edits.ts'
import type { Drafts } from './PlaygroundState.ts'

/** Under which the text of a run that is yet to be started is kept. */
const ofNext = ''

export const draftOf = (drafts: Drafts, runId: string | undefined): string => own(drafts, runId ?? ofNext) ?? ''

export function toDrafted(drafts: Drafts, runId: string | undefined, text: string): Drafts {
  const { [runId ?? ofNext]: _, ...others } = drafts
  return text === '' ? others : { ...others, [runId ?? ofNext]: text }
}

/** Puts a message that could not be sent back into its box, before what was written since. */
export function toUnsent(drafts: Drafts, runId: string | undefined, text: string): Drafts {
  const since = draftOf(drafts, runId)
  return toDrafted(drafts, runId, since === '' ? text : `${text}\n${since}`)
}

/** The texts that the user has written and not sent. */
export interface Unsent {
  readonly drafts: Drafts
  readonly edits: Edits
}

/** Returns the valid part of the stored drafts. */
export function readUnsent(json: string | null): Unsent {
  const { drafts, edits } = Object(parseStored(json)) as Partial<Record<keyof Unsent, unknown>>
  return { drafts: entriesOf(drafts, isText), edits: entriesOf(edits, isEdit) }
}

const entriesOf = <T>(data: unknown, fits: (value: unknown) => value is T): Record<string, T> =>
  Object.fromEntries(
    Object.entries(Object(data)).filter((entry): entry is [string, T] => entry[0] !== '__proto__' && fits(entry[1])),
  )

const isText = (value: unknown): value is string => typeof value === 'string'

function isEdit(value: unknown): value is Edit {
  const { draft, used } = Object(value) as Partial<Record<keyof Edit, unknown>>
  return isText(draft) && (used === undefined || isText(used))
}
