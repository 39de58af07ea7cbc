/** Where a run works. */
export type Place = 'page' | 'worker' | 'sharedWorker' | 'server'

export const places: Readonly<Record<Place, string>> = {
  page: 'in this page',
  worker: 'in a worker',
  sharedWorker: 'in a shared worker',
  server: 'on the server',
}

export const isPlace = (value: unknown): value is Place => Object.hasOwn(places, String(value))
