import { type Mention, mentionsOf } from './mention.ts'

/** Names of one unit each. */
const units: readonly (readonly string[])[] = [
  ['mm', 'millimetre', 'millimeter', 'millimetres', 'millimeters'],
  ['cm', 'centimetre', 'centimeter', 'centimetres', 'centimeters'],
  ['m', 'metre', 'meter', 'metres', 'meters'],
  ['km', 'kilometre', 'kilometer', 'kilometres', 'kilometers', 'kms'],
  ['mi', 'mile', 'miles'],
  ['ft', 'foot', 'feet'],
  ['inch', 'inches', 'in'],
  ['yd', 'yard', 'yards'],
  ['g', 'gram', 'grams'],
  ['kg', 'kilogram', 'kilograms', 'kilo', 'kilos'],
  ['lb', 'lbs', 'pound', 'pounds'],
  ['oz', 'ounce', 'ounces'],
  ['l', 'litre', 'liter', 'litres', 'liters'],
  ['ml', 'millilitre', 'milliliter', 'millilitres', 'milliliters'],
  ['gallon', 'gallons', 'gal'],
  ['celsius', '°c', 'c', 'centigrade', 'degc'],
  ['fahrenheit', '°f', 'f', 'degf'],
  ['kelvin', 'k'],
  ['s', 'sec', 'second', 'seconds'],
  ['min', 'minute', 'minutes'],
  ['h', 'hour', 'hours'],
  ['day', 'days'],
  ['week', 'weeks'],
  ['km/h', 'kph', 'kmh'],
  ['mph'],
  ['eur', 'euro', 'euros', '€'],
  ['usd', 'dollar', 'dollars', '$'],
  ['gbp', 'sterling', '£'],
]

const long = units.flatMap((names) => names.filter((name) => name.length > 1 && name !== 'in'))
const short = units.flatMap((names) => names.filter((name) => name.length === 1))
const escaped = (names: readonly string[]): string =>
  names
    .toSorted((a, b) => b.length - a.length)
    .map((name) => name.replace(/[$/]/g, '\\$&'))
    .join('|')
// A single letter is a unit only after a number or where a unit is expected.
const pattern = new RegExp(
  `(?<![\\p{L}])(${escaped(long)})(?![\\p{L}/])|(?<=\\d\\s?)(${escaped(short)}|in)(?![\\p{L}])|` +
    `(?<=\\b(?:to|in|into|as)\\s)(${escaped(short)})(?![\\p{L}])|(?<=[°])([cf])\\b`,
  'giu',
)

export const unitMentions = (text: string): Mention[] => mentionsOf(text, pattern)

/** All names of the unit that has this name. */
export const unitNames = (name: string): readonly string[] =>
  units.find((names) => names.includes(name.toLowerCase())) ?? [name.toLowerCase()]
