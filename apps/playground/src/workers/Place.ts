/** The host of a run. */
export type Place = 'page' | 'worker' | 'sharedWorker' | ServedPlace

/** A server next to the page, where a run outlives the page. */
export type ServedPlace = 'server' | 'restate'

export const places: Readonly<Record<Place, string>> = {
  page: 'in this page',
  worker: 'in a worker',
  sharedWorker: 'in a shared worker',
  server: 'on the server',
  restate: 'on Restate',
}

/** The same, as the options of a choice. */
export const hostNames: Readonly<Record<Place, string>> = {
  page: 'This tab',
  worker: 'Worker',
  sharedWorker: 'Shared worker',
  server: 'Server',
  restate: 'Restate',
}

export const servedPlaces: readonly ServedPlace[] = ['server', 'restate']

export const isPlace = (value: unknown): value is Place => Object.hasOwn(places, String(value))

export const isServed = (place: Place): place is ServedPlace => servedPlaces.some((served) => served === place)
