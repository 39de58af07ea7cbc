import { chance } from './chance.ts'
import { type City, distance } from './cities.ts'

export interface Connection {
  readonly id: string
  readonly means: 'train' | 'flight'
  readonly from: string
  readonly to: string
  readonly departs: string
  readonly arrives: string
  readonly duration: string
  /** For one traveller. */
  readonly price: number
  readonly currency: 'EUR'
}

/** Returns the connections in the result of a search. */
export const readConnections = (value: unknown): readonly Connection[] =>
  (Array.isArray(value) ? value : []).filter((each: unknown): each is Connection => {
    const { means, price, currency, ...texts } = Object(each) as Partial<Record<keyof Connection, unknown>>
    const { id, from, to, departs, arrives, duration } = texts
    return (
      (means === 'train' || means === 'flight') &&
      currency === 'EUR' &&
      Number.isFinite(price) &&
      [id, from, to, departs, arrives, duration].every((text) => typeof text === 'string')
    )
  })

const longestTrainKm = 1_100
const shortestFlightKm = 350

/** Returns all connections of a day, cheapest first. The timetable is made up, and the same every day. */
export function connectionsBetween(from: City, to: City): readonly Connection[] {
  if (from === to) return []
  const km = distance(from, to)
  const trains =
    km <= longestTrainKm ? [7, 11, 16].map((hour) => connection({ means: 'train', from, to, hour, km })) : []
  const flights =
    km >= shortestFlightKm ? [6, 12, 19].map((hour) => connection({ means: 'flight', from, to, hour, km })) : []
  return [...trains, ...flights].sort((a, b) => a.price - b.price)
}

interface Departure {
  readonly means: Connection['means']
  readonly from: City
  readonly to: City
  readonly hour: number
  readonly km: number
}

function connection({ means, from, to, hour, km }: Departure): Connection {
  const random = chance(`${means} ${from.code} ${to.code} ${hour}`)
  const departs = hour * 60 + 5 * Math.floor(random() * 20)
  const minutes = 5 * Math.round((means === 'train' ? 20 + km / 2.4 : 55 + km / 11) / 5)
  const base = means === 'train' ? 14 + km * 0.085 : 38 + km * 0.055
  return {
    id: `${means === 'train' ? 'RAIL' : 'FLY'}-${from.code}-${to.code}-${clock(departs).replace(':', '')}`,
    means,
    from: from.name,
    to: to.name,
    departs: clock(departs),
    arrives: clock(departs + minutes + 60 * (to.offset - from.offset)),
    duration: `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`,
    price: Math.round(base * (0.8 + random() * 0.6)),
    currency: 'EUR',
  }
}

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
