// Prints what failed in commands and the sum of their totals, and exits with 1 if anything failed.
// node scripts/addTotals.mjs [<name> <exit status> <file with its output>] ...

import { readFileSync } from 'node:fs'
import process from 'node:process'
import { addTotals, totalsLines } from './totals.mjs'

const runs = []
for (let at = 2; at < process.argv.length; at += 3) {
  const [name, status, file] = process.argv.slice(at, at + 3)
  runs.push({ name, status: Number(status), output: readFileSync(file, 'utf8') })
}
const { totals, problems } = addTotals(runs)
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.stdout.write(totalsLines(totals))
process.exitCode = totals.failed > 0 ? 1 : 0
