/** A city that the trip planner knows. `offset` is its distance from UTC in hours, in winter. */
export interface City {
  readonly name: string
  readonly code: string
  readonly lat: number
  readonly lon: number
  readonly offset: 0 | 1
}

export const cities: readonly City[] = [
  { name: 'Amsterdam', code: 'AMS', lat: 52.37, lon: 4.9, offset: 1 },
  { name: 'Barcelona', code: 'BCN', lat: 41.39, lon: 2.17, offset: 1 },
  { name: 'Berlin', code: 'BER', lat: 52.52, lon: 13.4, offset: 1 },
  { name: 'Copenhagen', code: 'CPH', lat: 55.68, lon: 12.57, offset: 1 },
  { name: 'Lisbon', code: 'LIS', lat: 38.72, lon: -9.14, offset: 0 },
  { name: 'London', code: 'LON', lat: 51.51, lon: -0.13, offset: 0 },
  { name: 'Madrid', code: 'MAD', lat: 40.42, lon: -3.7, offset: 1 },
  { name: 'Milan', code: 'MIL', lat: 45.46, lon: 9.19, offset: 1 },
  { name: 'Paris', code: 'PAR', lat: 48.86, lon: 2.35, offset: 1 },
  { name: 'Prague', code: 'PRG', lat: 50.08, lon: 14.44, offset: 1 },
  { name: 'Rome', code: 'ROM', lat: 41.9, lon: 12.5, offset: 1 },
  { name: 'Vienna', code: 'VIE', lat: 48.21, lon: 16.37, offset: 1 },
]

/** Returns the city with this name or code, in any case. Throws an error that lists the cities. */
export function cityNamed(name: string): City {
  const wanted = name.trim().toLowerCase()
  const city = cities.find((known) => known.name.toLowerCase() === wanted || known.code.toLowerCase() === wanted)
  if (!city) throw new Error(`"${name}" is not on the map. Known are ${cities.map((known) => known.name).join(', ')}.`)
  return city
}

/** The distance in a straight line, in kilometres. */
export function distance(from: City, to: City): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180
  const [dLat, dLon] = [radians(to.lat - from.lat), radians(to.lon - from.lon)]
  const chord =
    Math.sin(dLat / 2) ** 2 + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * Math.sin(dLon / 2) ** 2
  return 12_742 * Math.asin(Math.sqrt(chord))
}
