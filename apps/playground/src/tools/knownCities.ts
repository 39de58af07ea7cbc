import { form, type ToolContext } from '@interleave/core'
import { z } from 'zod'
import { type City, cities, cityNamed } from '../data/cities.ts'

/** Returns the cities that were named. Asks the user which to take in place of those that are not on the map. */
export async function knownCities<Field extends string>(
  named: Readonly<Record<Field, string>>,
  ask: ToolContext['ask'],
): Promise<Readonly<Record<Field, City>>> {
  const fields = Object.keys(named) as Field[]
  const unknown = fields.filter((field) => !cityNamed(named[field]))
  const chosen = unknown.length > 0 ? await ask(formFor(unknown, named)) : {}
  return Object.fromEntries(fields.map((field) => [field, cityNamed(chosen[field] ?? named[field])])) as Record<
    Field,
    City
  >
}

const names = z.enum(cities.map(({ name }) => name))

function formFor(fields: readonly string[], named: Readonly<Record<string, string>>) {
  const unknown = fields.map((field) => `“${named[field]?.slice(0, 40)}”`).join(' and ')
  const prompt = `${unknown} ${fields.length > 1 ? 'are' : 'is'} not on this map. Which city instead?`
  return form({ prompt, schema: z.object(Object.fromEntries(fields.map((field) => [field, names]))) })
}
