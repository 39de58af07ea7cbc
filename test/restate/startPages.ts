import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { bundleProgram } from '../processes/bundleProgram.ts'

let bundling: Promise<string> | undefined

/** A process that performs what only a page can, of the runs whose ids it is sent. */
export async function startPages(env: { readonly INGRESS: string; readonly LEDGER: string }): Promise<ChildProcess> {
  bundling ??= bundleProgram(path.join(import.meta.dirname, 'pages.ts'))
  const pages = fork(await bundling, { execArgv: [], env: { ...process.env, ...env } })
  await new Promise<void>((resolve, reject) => {
    pages.once('message', () => resolve())
    pages.once('exit', (code) => reject(new Error(`The pages ended with ${code}.`)))
  })
  return pages
}
