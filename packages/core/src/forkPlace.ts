import type { Json } from './json.ts'
import type { GivenContent } from './part.ts'

/** Where a run is forked, and how the new one differs. */
export interface ForkPlace {
  /** The `seq` of the last event that the new run has of the old one; by default that of the last there is. */
  at?: number
  /** The new content of that event. */
  edit?: ForkEdit
  /** The new run's id; by default a random one. */
  id?: string
}

/** Of a message its content, of an observation what the tool gave, of a reply its value. */
export type ForkEdit = { readonly content: GivenContent } | { readonly output: Json } | { readonly value: Json }
