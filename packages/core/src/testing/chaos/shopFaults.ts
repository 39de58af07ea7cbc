import type { Call } from '../../entry.ts'
import type { Event } from '../../event.ts'
import { fold } from '../../reduce.ts'
import type { Ledger } from './ledger.ts'

/** What is wrong with a run that came to its end: what is lost, doubled or made up, by its log and by what the world knows. */
export function shopFaults(events: readonly Event[], ledger: Ledger): readonly string[] {
  const { runId, history, rest } = fold(events)
  const calls = history.flat().flatMap((entry) => (entry.type === 'turn' ? entry.calls : []))
  const made = new Map(calls.map((call) => [`${runId}/${call.key}`, call]))
  const faults = calls.flatMap((call) => faultsOfCall(call, { key: `${runId}/${call.key}`, events, ledger }))
  if (!events.every(({ seq }, index) => seq === index)) faults.push(`${runId}: the log has gaps`)
  if (rest?.type !== 'answer') faults.push(`${runId}: it rests with ${rest?.type}`)
  for (const [key, deeds] of ledger.deeds) {
    if (!key.startsWith(`${runId}/`)) continue
    const call = made.get(key)
    if (!call || deeds.some(({ input }) => input !== JSON.stringify(call.input))) faults.push(`orphan: ${key}`)
  }
  return faults
}

interface Judging {
  readonly key: string
  readonly events: readonly Event[]
  readonly ledger: Ledger
}

function faultsOfCall({ key: id, name, input, result }: Call, { key, events, ledger }: Judging): string[] {
  const faults: string[] = []
  const results = events.filter((event) => event.type === 'observed' && event.call === id).length
  if (results !== 1) faults.push(`${key} has ${results} results`)
  const receipts = name === 'look' ? [`look ${JSON.stringify(input)}`] : receiptsOf(key, ledger)
  if (receipts.length === 0) faults.push(`lost: ${key}`)
  if (receipts.length > 1) faults.push(`doubled: ${key}`)
  if (name === 'book' && (ledger.attempts.get(key) ?? 0) > 1) faults.push(`tried twice: ${key}`)
  const value = result && 'value' in result ? String(result.value) : ''
  const wasAsked = events.some((event) => event.type === 'asked' && event.ask.id === `${id}/doubt`)
  const isConfirmed = name === 'book' && wasAsked && value.startsWith('Done, as the user')
  const isReceipt = receipts.some(
    (receipt) => value === receipt || (name === 'choose' && value === `${receipt} in blue`),
  )
  if (!isReceipt && !isConfirmed) faults.push(`lost: ${key} came to ${JSON.stringify(result)}`)
  return faults
}

const receiptsOf = (key: string, { deeds }: Ledger): readonly string[] =>
  deeds.get(key)?.map(({ receipt }) => receipt) ?? []
