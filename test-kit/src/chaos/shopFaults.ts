import type { Event } from '@interleave/core'
import { fold } from '@interleave/core/observe'
import type { Call } from '@interleave/core/steps'
import type { Ledger, Shop } from './createShop.ts'

/** A run that came to its end. */
export interface LivedThrough {
  readonly id: string
  readonly message: string
  readonly log: readonly Event[]
}

/** Returns the faults of runs: effects that are lost, doubled or made up, by their logs and by the ledger. */
export function shopFaults(lived: readonly LivedThrough[], shop: Shop): readonly string[] {
  const made = new Map(lived.flatMap(callsOf).map((made) => [made.key, made.call]))
  const orphans = [...shop.ledger.deeds].filter(([key, deeds]) => {
    const call = made.get(key)
    return !call || deeds.some(({ name, input }) => name !== sold(call.name) || input !== JSON.stringify(call.input))
  })
  return [...lived.flatMap((each) => faultsOfRun(each, shop)), ...orphans.map(([key]) => `orphan: ${key}`)]
}

/** Returns the request to the shop that a tool makes: a chosen item is charged for. */
const sold = (name: string): string => (name === 'choose' ? 'charge' : name)

const callsOf = ({ id, log }: LivedThrough): readonly { readonly key: string; readonly call: Call }[] => {
  const calls = fold(log)
    .history.flat()
    .flatMap((entry) => (entry.type === 'turn' ? entry.calls : []))
  return calls.map((call) => ({ key: `${id}/${call.key}`, call }))
}

function faultsOfRun(lived: LivedThrough, { ledger, ordersOf }: Shop): readonly string[] {
  const { id, message, log: events } = lived
  const { signal } = fold(events)
  const calls = callsOf(lived)
  const faults = calls.flatMap(({ key, call }) => faultsOfCall(call, { key, events, ledger }))
  const names = (list: readonly { readonly name: string }[]): string => list.map(({ name }) => name).join()
  if (names(calls.map(({ call }) => call)) !== names(ordersOf(message)))
    faults.push(`lost: not all that the model called for is in the log of ${id}`)
  if (!events.every(({ seq }, index) => seq === index)) faults.push(`gaps: in the log of ${id}`)
  if (signal?.type !== 'answer') faults.push(`end: ${id} rests with ${signal?.type}`)
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
  if (results !== 1) faults.push(`results: ${key} has ${results}`)
  const receipts = name === 'look' ? [`look ${JSON.stringify(input)}`] : receiptsOf(key, ledger)
  if (receipts.length === 0) faults.push(`lost: ${key}`)
  if (receipts.length > 1) faults.push(`doubled: ${key}`)
  if (name === 'book' && (ledger.attempts.get(key) ?? 0) > 1) faults.push(`tried twice: ${key}`)
  const value = result && 'value' in result ? String(result.value) : ''
  const wasAsked = events.some((event) => event.type === 'asked' && event.ask.id.startsWith(`${id}/interruption`))
  const isConfirmed = name === 'book' && wasAsked && value.startsWith('Done, as the user')
  const isReceipt = receipts.some(
    (receipt) => value === receipt || (name === 'choose' && value === `${receipt} in blue`),
  )
  if (!isReceipt && !isConfirmed) faults.push(`lost: ${key} came to ${JSON.stringify(result)}`)
  return faults
}

const receiptsOf = (key: string, { deeds }: Ledger): readonly string[] =>
  deeds.get(key)?.map(({ receipt }) => receipt) ?? []
