import type { Event } from '@interleave/core'
import { fold } from '@interleave/core/observe'
import type { Script, World } from './openWorld.ts'

/** What is wrong with runs that came to their end: lost, doubled or made up, by their logs and by what the world knows. */
export function faultsOf(
  logs: ReadonlyMap<string, readonly Event[]>,
  { world, script }: { world: World; script: Script },
): readonly string[] {
  const faults = [...logs].flatMap(([id, log]) => faultsOfRun(id, log, { world, script }))
  const known = new Set([...logs].flatMap(([id, log]) => callsOf(log).map(({ key }) => `${id}/${key}`)))
  for (const key of world.effects.keys()) if (!known.has(key)) faults.push(`orphan: ${key} is in no log`)
  return faults
}

const callsOf = (log: readonly Event[]) =>
  fold(log)
    .history.flat()
    .flatMap((entry) => (entry.type === 'turn' ? entry.calls : []))

function faultsOfRun(
  id: string,
  log: readonly Event[],
  { world, script }: { world: World; script: Script },
): readonly string[] {
  const faults: string[] = []
  const calls = callsOf(log)
  const end = log.at(-1)
  if (end?.type !== 'rested' || end.signal.type !== 'answer') faults.push(`${id} has no answer: ${JSON.stringify(end)}`)
  if (!log.every(({ seq }, index) => seq === index)) faults.push(`${id} has gaps`)
  if (calls.map(({ name }) => name).join() !== script.flat().join())
    faults.push(`lost: not all calls are in the log of ${id}`)
  for (const { key: place, name, result } of calls) {
    const key = `${id}/${place}`
    const receipts = world.effects.get(key) ?? []
    const results = log.filter((event) => event.type === 'observed' && event.call === place).length
    if (results !== 1) faults.push(`${key} has ${results} results`)
    if (name === 'look' || name === 'confirm') continue
    if (receipts.length !== 1) faults.push(`${key} happened ${receipts.length} times`)
    if (name === 'book' && (world.attempts.get(key) ?? 0) > 1) faults.push(`tried twice: ${key}`)
    const value = result && 'value' in result ? String(result.value) : ''
    if (!receipts.includes(value) && !(name === 'book' && value.startsWith('Done, as')))
      faults.push(`${key} came to ${value}`)
  }
  return faults
}
