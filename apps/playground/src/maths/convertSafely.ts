import { math, tidy } from './math.ts'

const spellings: Readonly<Record<string, string>> = {
  '°c': 'degC',
  c: 'degC',
  '°f': 'degF',
  f: 'degF',
  k: 'kelvin',
  mph: 'mile/hour',
  'miles per hour': 'mile/hour',
  kmh: 'km/hour',
  kph: 'km/hour',
  'kilometers per hour': 'km/hour',
  metre: 'meter',
  metres: 'meters',
  kilometre: 'kilometer',
  kilometres: 'kilometers',
  pounds: 'lbs',
  pound: 'lbs',
  ounces: 'oz',
  ounce: 'oz',
}

/** Returns a quantity in another unit. Throws for unknown or incompatible units. */
export function convertSafely(value: number, units: { from: string; to: string }): number {
  const to = unitNamed(units.to)
  return tidy(math.unit(value, unitNamed(units.from)).to(to).toNumber(to))
}

function unitNamed(spelled: string): string {
  const name = spelled.trim()
  const known = spellings[name.toLowerCase()] ?? name
  const unit = [known, known.toLowerCase()].find(isUnit)
  if (!unit) throw new Error(`"${spelled}" is no unit that is known here.`)
  return unit
}

function isUnit(name: string): boolean {
  if (!/^[a-zA-Z][a-zA-Z0-9/^* ]{0,40}$/.test(name)) return false
  try {
    math.unit(1, name)
    return true
  } catch {
    return false
  }
}
