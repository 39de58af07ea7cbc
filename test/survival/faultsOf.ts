import { isDeepStrictEqual } from 'node:util'
import type { Event } from '@interleave/core'
import { fold } from '@interleave/core/observe'
import type { Ledger } from './createLedger.ts'

type Call = ReturnType<typeof callsOf>[number]

/** What is wrong with a run that came to its end: what is lost, doubled or made up, by the log and by what the world knows. */
export function faultsOf(ledger: Ledger): readonly string[] {
  const { log = [], state } = ledger.end ?? {}
  const calls = callsOf(log)
  const keys = new Set(calls.map(({ key }) => key))
  const faults = calls.flatMap((call) => faultsOfCall(call, { ledger, log }))
  const made = calls.map(({ name, input }) => ({ name, ...(input as object) }))
  if (!isDeepStrictEqual(made, ledger.script.flat())) faults.push('lost: not all that the model called is in the log')
  for (const key of ledger.effects.keys()) if (!keys.has(key)) faults.push(`orphan: ${key} is not in the log`)
  if (!log.every(({ seq }, index) => seq === index)) faults.push('the log has gaps')
  if (log.at(-1)?.type !== 'rested') faults.push('lost: the log does not end with a rest')
  if (!isDeepStrictEqual(plain(fold(log)), plain(state))) faults.push('the state is not what the log gives')
  return faults
}

const callsOf = (log: readonly Event[]) => {
  const { runId, history } = fold(log)
  return history
    .flat()
    .flatMap((entry) =>
      entry.type === 'turn' ? entry.calls.map((call) => ({ ...call, id: call.key, key: `${runId}/${call.key}` })) : [],
    )
}

function faultsOfCall(
  call: Call,
  { ledger, log }: { readonly ledger: Ledger; readonly log: readonly Event[] },
): string[] {
  const { id, key, name, input, result } = call
  const receipts = name === 'look' ? [`look ${(input as { item: number }).item}`] : (ledger.effects.get(key) ?? [])
  const results = log.filter((event) => event.type === 'observed' && event.call === id).length
  const wasAsked = log.some((event) => event.type === 'asked' && event.ask.call === id)
  const faults: string[] = []
  if (results !== 1) faults.push(`${key} has ${results} results`)
  if (receipts.length === 0) faults.push(`lost: ${key}`)
  if (receipts.length > 1) faults.push(`doubled: ${key}`)
  if (name === 'book' && (ledger.attempts.get(key) ?? 0) > 1) faults.push(`tried twice: ${key}`)
  const value = result && 'value' in result ? String(result.value) : ''
  const isConfirmed = name === 'book' && wasAsked && value.startsWith('Done, as the user')
  if (!receipts.includes(value) && !isConfirmed) faults.push(`lost: ${key} came to ${JSON.stringify(result)}`)
  return faults
}

/** What is still streaming is no part of a log. */
const plain = (state: object | undefined): unknown => JSON.parse(JSON.stringify({ ...state, draft: undefined }))
