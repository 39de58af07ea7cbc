import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { bundleProgram } from '../processes/bundleProgram.ts'

let bundling: Promise<string> | undefined

/** Starts a process of `shopServer` at a port, with these variables. What it prints is shown, unless QUIET is set. */
export async function startShopServer(port: number, env: Readonly<Record<string, string>>): Promise<ChildProcess> {
  // The module that `pg` requires only if it is installed.
  bundling ??= bundleProgram(path.join(import.meta.dirname, 'shopServer.ts'), ['pg-native'])
  const file = await bundling
  const variables = { ...process.env, NODE_COMPILE_CACHE: path.dirname(file), ...env, PORT: `${port}` }
  const child = fork(file, {
    execArgv: [],
    env: variables,
    stdio: env.QUIET ? ['ignore', 'ignore', 'ignore', 'ipc'] : ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The server ended with ${code}.`)
  })
  await Promise.race([once(child, 'message'), ended])
  ended.catch(() => {})
  return child
}
