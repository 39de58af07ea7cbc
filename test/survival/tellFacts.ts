import type { Ledger } from './createLedger.ts'

/** Prints the measured times as a line: the tests do not depend on them. */
export function tellFacts(ledgers: readonly Ledger[], kills: string): void {
  const resumed = ledgers.flatMap(({ lives }) => lives).filter(({ after }) => after)
  const sum = (count: (ledger: Ledger) => number): number => ledgers.reduce((all, ledger) => all + count(ledger), 0)
  const extra = (counts: ReadonlyMap<string, number>): number =>
    [...counts.values()].reduce((all, times) => all + times - 1, 0)
  const repeated = sum(({ shop }) => extra(shop.ledger.attempts))
  const questions = sum(({ end }) => end?.log.filter(({ type }) => type === 'asked').length ?? 0)
  const turns = sum(({ shop }) => extra(shop.ledger.turns))
  const facts = [
    `${kills} in ${ledgers.length} runs`,
    `gone on ${resumed.length} times (after ${tally(resumed.map(({ after = '' }) => after))})`,
    `${spread(resumed.map(({ loadMs }) => loadMs))} ms after the load of the page`,
    `${spread(resumed.map(({ openMs }) => openMs))} ms of it to resume`,
    `${repeated} attempts and ${turns} turns repeated`,
    `${questions} questions asked`,
    `${sum(({ conflicts }) => conflicts)} conflicts`,
  ]
  console.log(facts.join('; '))
}

/** Returns each name, and the number of its occurrences. */
export function tally(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ')
}

/** The middle one, and what only one of twenty is above. */
export function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0)
  return `${at(0.5)} (p95 ${at(0.95)})`
}
