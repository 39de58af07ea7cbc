/** Where a run works. */
export type Place = 'page' | 'worker' | 'sharedWorker'

export const places: Readonly<Record<Place, string>> = {
  page: 'this page',
  worker: 'a worker',
  sharedWorker: 'a shared worker',
}

export const isPlace = (value: unknown): value is Place => Object.hasOwn(places, String(value))
