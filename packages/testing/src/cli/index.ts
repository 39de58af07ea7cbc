#!/usr/bin/env node
import process from 'node:process'
import { main } from './main.ts'

const stop = new AbortController()
process.once('SIGINT', () => stop.abort(new Error('Stopped.')))
process.exitCode = await main(process.argv.slice(2), {
  print: (text) => console.log(text),
  fail: (text) => console.error(text),
  cwd: process.cwd(),
  signal: stop.signal,
})

/** A command ends by itself. What the agent's module left open, such as a connection, holds it no longer than this. */
const graceMs = 100
setTimeout(() => void end(), graceMs).unref()

/** Ends once a slow reader has everything. */
async function end(): Promise<void> {
  await Promise.all([process.stdout, process.stderr].map(written))
  process.exit()
}

const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    // A reader that has left needs nothing more.
    stream.once('error', () => resolve())
    stream.write('', () => resolve())
  })
