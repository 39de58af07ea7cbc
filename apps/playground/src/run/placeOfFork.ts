import type { ForkEdit } from '@interleave/core/journal'
import { isServed, type Place } from '../workers/Place.ts'

/**
 * Where a fork works: where its run does. But a server lets nobody say what a tool gave or a person answered, so a fork that
 * says something else there works in the page.
 */
export const placeOfFork = ({ place }: { readonly place: Place }, edit: ForkEdit | undefined): Place =>
  isServed(place) && edit && !('content' in edit) ? 'page' : place
