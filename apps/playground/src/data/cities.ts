/** A city that the trip planner knows. `offset` is its distance from UTC in hours, in winter. */
export interface City {
  readonly name: string
  readonly code: string
  readonly lat: number
  readonly lon: number
  readonly offset: 0 | 1
  /** Its name in another language, where the letters are far from it. */
  readonly also?: string
}

export const cities: readonly City[] = [
  { name: 'Amsterdam', code: 'AMS', lat: 52.37, lon: 4.9, offset: 1 },
  { name: 'Barcelona', code: 'BCN', lat: 41.39, lon: 2.17, offset: 1 },
  { name: 'Berlin', code: 'BER', lat: 52.52, lon: 13.4, offset: 1 },
  { name: 'Copenhagen', code: 'CPH', lat: 55.68, lon: 12.57, offset: 1, also: 'København' },
  { name: 'Lisbon', code: 'LIS', lat: 38.72, lon: -9.14, offset: 0 },
  { name: 'London', code: 'LON', lat: 51.51, lon: -0.13, offset: 0, also: 'Londres' },
  { name: 'Madrid', code: 'MAD', lat: 40.42, lon: -3.7, offset: 1 },
  { name: 'Milan', code: 'MIL', lat: 45.46, lon: 9.19, offset: 1 },
  { name: 'Paris', code: 'PAR', lat: 48.86, lon: 2.35, offset: 1 },
  { name: 'Prague', code: 'PRG', lat: 50.08, lon: 14.44, offset: 1, also: 'Praha' },
  { name: 'Rome', code: 'ROM', lat: 41.9, lon: 12.5, offset: 1 },
  { name: 'Vienna', code: 'VIE', lat: 48.21, lon: 16.37, offset: 1, also: 'Wien' },
]

/** Returns the city with this name or code, in any case and with a slip of the pen; undefined if none is near. */
export function cityNamed(name: string): City | undefined {
  const wanted = plain(name.slice(0, 40))
  const same = cities.find((city) => namesOf(city).includes(wanted))
  if (same) return same
  const near = cities.filter((city) => namesOf(city).some((known) => isNear(known, wanted)))
  return near.length === 1 ? near[0] : undefined
}

const plain = (name: string): string => name.trim().toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')
const namesOf = ({ name, code, also = name }: City): readonly string[] => [name, code, also].map(plain)

/** The slips that a name may have, by its length. A code has none. */
const slips = ({ length }: string): number => (length < 4 ? 0 : length < 7 ? 1 : 2)

const isNear = (known: string, wanted: string): boolean => differences(known, wanted) <= slips(known)

/** Counts the letters to add, remove or change (Levenshtein). */
function differences(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [above, letter] of [...a].entries()) {
    const next = [above + 1]
    for (let at = 1; at <= b.length; at++) {
      const changed = (row[at - 1] ?? 0) + (b[at - 1] === letter ? 0 : 1)
      next.push(Math.min(changed, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** The distance in a straight line, in kilometres. */
export function distance(from: City, to: City): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180
  const [dLat, dLon] = [radians(to.lat - from.lat), radians(to.lon - from.lon)]
  const chord =
    Math.sin(dLat / 2) ** 2 + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * Math.sin(dLon / 2) ** 2
  return 12_742 * Math.asin(Math.sqrt(chord))
}
