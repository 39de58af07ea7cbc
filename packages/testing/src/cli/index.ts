#!/usr/bin/env node
import process from 'node:process'
import { main } from './main.ts'

const stop = new AbortController()
process.once('SIGINT', () => stop.abort(new Error('Stopped.')))
const code = await main(process.argv.slice(2), {
  print: (text) => console.log(text),
  fail: (text) => console.error(text),
  cwd: process.cwd(),
  signal: stop.signal,
})
// What the agent's module left open, such as a connection, does not hold the command.
process.stdout.write('', () => process.exit(code))
