import type { Event } from '../../event.ts'
import { hashOf, type LargeValue, type Place, putBack, takeOut } from './largeValues.ts'
import type { Mode, StoredEvent, Transaction } from './stores.ts'

/** An event as it is to be stored, and the values that are stored beside it. */
export interface Prepared {
  readonly stored: StoredEvent
  readonly values: ReadonlyMap<string, unknown>
}

/** Before the transaction begins: it would end while a hash is worked out. */
export async function prepare(event: Event): Promise<Prepared> {
  const { rest, large } = takeOut(event)
  const places = (await Promise.all(large.map(toPlace))).filter((place) => place !== undefined)
  // Without a hash function, and nearly always, the event is stored as it is.
  if (places.length === 0 || places.length < large.length) return { stored: { event }, values: new Map() }
  const values = new Map(places.map(({ hash }, index) => [hash, large[index]?.value]))
  return { stored: { event: rest, places, large: [...values.keys()] }, values }
}

async function toPlace({ path, json }: LargeValue): Promise<Place | undefined> {
  const hash = await hashOf(json)
  return hash === undefined ? undefined : { path, hash }
}

/** Those that are stored already are not stored again. */
export async function storeValues({ values }: Prepared, transaction: Transaction<'readwrite'>): Promise<void> {
  const store = transaction.objectStore('values')
  for (const [hash, value] of values) if ((await store.count(hash)) === 0) await store.put(value, hash)
}

/** The event, whole again. */
export async function restore({ event, places = [] }: StoredEvent, transaction: Transaction<Mode>): Promise<Event> {
  const values = transaction.objectStore('values')
  for (const { path, hash } of places) putBack(event, path, await values.get(hash))
  return event
}
