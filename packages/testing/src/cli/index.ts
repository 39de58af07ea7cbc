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

/** The time that the process waits for open handles of the agent's module, such as connections, after the command. */
const graceMs = 100
setTimeout(() => void end(), graceMs).unref()

/** Exits once a slow reader has the whole output. */
async function end(): Promise<void> {
  await Promise.all([process.stdout, process.stderr].map(written))
  process.exit()
}

const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    // A reader that has disconnected needs no output.
    stream.once('error', () => resolve())
    stream.write('', () => resolve())
  })
