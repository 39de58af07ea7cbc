import { own, parseStored } from '../parts/objects.ts'
import type { Edit, Edits } from './edits.ts'
import type { Drafts } from './PlaygroundState.ts'

/** The key under which the text of the next run is stored. */
const ofNext = ''

export const draftOf = (drafts: Drafts, runId: string | undefined): string => own(drafts, runId ?? ofNext) ?? ''

export function toDrafted(drafts: Drafts, runId: string | undefined, text: string): Drafts {
  const { [runId ?? ofNext]: _, ...others } = drafts
  return text === '' ? others : { ...others, [runId ?? ofNext]: text }
}

/** Returns a message that could not be sent to its box, before the text that was typed since. */
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
