import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Event } from '@interleave/core'
import type { LiveEvent } from '@interleave/core/observe'

const folder = path.join(import.meta.dirname, 'recorded')

interface Bundle {
  readonly events: readonly Event[]
  readonly live: readonly { readonly after: number; readonly event: LiveEvent }[]
}

/** The recordings of real runs, by what they show. */
export const goldenBundles: readonly (readonly [string, Bundle])[] = readdirSync(folder)
  .filter((name) => name.endsWith('.bundle.json'))
  .map((name) => [name.replace('.bundle.json', ''), JSON.parse(readFileSync(path.join(folder, name), 'utf8'))])

/** Their logs. */
export const goldenLogs: readonly (readonly [string, readonly Event[]])[] = goldenBundles.map(([name, { events }]) => [
  name,
  events,
])

/** The log of one of them. */
export function goldenLog(name: string): readonly Event[] {
  const found = goldenLogs.find(([one]) => one === name)
  if (!found) throw new Error(`There is no recorded run "${name}".`)
  return found[1]
}
