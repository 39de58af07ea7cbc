import { cities } from './cities.ts'
import { type Connection, connectionsBetween } from './connections.ts'
import { type Hotel, hotelsIn } from './hotels.ts'

/** The offer with this id: a connection such as `RAIL-PAR-AMS-0710` or a hotel such as `HOTEL-LIS-GARDEN`. */
export function offerWithId(id: string): Connection | Hotel {
  const [, first, second] = id.split('-')
  const here = cities.find(({ code }) => code === first)
  const there = cities.find(({ code }) => code === second)
  const offers = here ? [...hotelsIn(here), ...(there ? connectionsBetween(here, there) : [])] : []
  const offer = offers.find((candidate) => candidate.id === id)
  if (!offer) throw new Error(`There is no offer "${id}". Search first and take an id from what was found.`)
  return offer
}
