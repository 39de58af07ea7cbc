// Prints the tables of networks in docs/proof.md, from the output of the tests of the law, in the files that are named.

import { readFileSync } from 'node:fs'

interface Told {
  readonly name: string
  readonly faults: readonly string[]
  readonly runs: number
  readonly kills: number
  readonly deeds: number
  readonly interruptions: number
  readonly messages: number
  readonly schedule: readonly string[]
}

const told = process.argv
  .slice(2)
  .flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^(?:\S*m)?([^\n]*), TROUBLES_SEED=\d+: (\{.*\})$/gm)].map(
      ([, name = '', json = '']): Told => ({ name, ...JSON.parse(json) }),
    ),
  )

/** The kinds of faults, by how they begin. */
const faults = { doubled: /^(doubled|tried twice|said)/, lost: /^(lost|orphan)/, stuck: /^stuck/, unseen: /^unseen/ }

const sum = (some: readonly Told[], count: (each: Told) => number): string =>
  some.reduce((all, each) => all + count(each), 0).toLocaleString('en')

function printPlaces(): void {
  const heads = ['troubles', 'runs', 'effects', 'messages', 'asked', ...Object.keys(faults), 'differs']
  console.log(`| | ${heads.join(' | ')} |\n| --- |${' ---: |'.repeat(heads.length)}`)
  for (const name of new Set(told.map((each) => each.name))) {
    const some = told.filter((each) => each.name === name)
    const kinds = [...Object.values(faults), /^(differs|early|end|gaps|results)/]
    const counts = [
      ...[sum(some, ({ kills }) => kills), sum(some, ({ runs }) => runs), sum(some, ({ deeds }) => deeds)],
      ...[sum(some, ({ messages }) => messages), sum(some, ({ interruptions }) => interruptions)],
      ...kinds.map((kind) => sum(some, (each) => each.faults.filter((fault) => kind.test(fault)).length)),
    ]
    console.log(`| ${name} | ${counts.join(' | ')} |`)
  }
}

function printTroubles(): void {
  const rounds = new Map<string, number>()
  for (const { schedule } of told)
    for (const each of schedule) {
      const name = each.replace(/ \(\d+ ms\)$/, '').replace(/^(a front|the provider) answers: .*/, '$1 answers')
      rounds.set(name, (rounds.get(name) ?? 0) + 1)
    }
  console.log('\n| trouble | rounds |\n| --- | ---: |')
  for (const [name, count] of [...rounds].sort(([, a], [, b]) => b - a)) console.log(`| ${name} | ${count} |`)
}

printPlaces()
printTroubles()
