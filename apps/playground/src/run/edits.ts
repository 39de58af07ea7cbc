import type { Offer } from '../agents/index.ts'

/** The user's change of the file of an offer. */
export interface Edit {
  /** The text in the editor, valid or not. */
  readonly draft: string
  /** The file of new runs, once the user chose one. */
  readonly used?: string
}

/** By the id of the offer. */
export type Edits = Readonly<Record<string, Edit>>

/** Returns the file with which new runs of an offer are started. */
export const fileOf = ({ id, file }: Offer, edits: Edits): string => edits[id]?.used ?? file

export const toWritten = (edits: Edits, { id }: Offer, draft: string): Edits => ({
  ...edits,
  [id]: { ...edits[id], draft },
})

/** The file that an offer came with is no edit. */
export const toUsed = (edits: Edits, offer: Offer, file: string): Edits =>
  file === offer.file ? withoutEdit(edits, offer) : { ...edits, [offer.id]: { draft: file, used: file } }

export function withoutEdit(edits: Edits, { id }: Offer): Edits {
  const { [id]: _, ...others } = edits
  return others
}
