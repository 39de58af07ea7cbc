import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Event } from '@interleave/core'

const folder = path.join(import.meta.dirname, 'recorded')

/** The logs of real runs, by what they show. */
export const goldenLogs: readonly (readonly [string, readonly Event[]])[] = readdirSync(folder)
  .filter((name) => name.endsWith('.bundle.json'))
  .map((name) => [name.replace('.bundle.json', ''), JSON.parse(readFileSync(path.join(folder, name), 'utf8')).events])

/** The log of one of them. */
export function goldenLog(name: string): readonly Event[] {
  const found = goldenLogs.find(([one]) => one === name)
  if (!found) throw new Error(`There is no recorded run "${name}".`)
  return found[1]
}
