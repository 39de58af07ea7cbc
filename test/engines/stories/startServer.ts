import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { bundleProgram } from '../../processes/bundleProgram.ts'
import { freePort } from '../../processes/freePorts.ts'
import { kill } from '../../processes/kill.ts'
import type { World } from './openWorld.ts'

export interface RunningServer {
  readonly url: string
  /** Kills its process, which closes no connection in order. */
  kill(): Promise<void>
  start(): Promise<void>
}

let bundling: Promise<string> | undefined

/** Starts a process that serves the page of a world, and its runs, until the test is over. */
export async function startServer(world: World): Promise<RunningServer> {
  bundling ??= bundleProgram(path.join(import.meta.dirname, '../page/server.ts'))
  const file = await bundling
  const folder = await mkdtemp(path.join(tmpdir(), 'interleave-engines-'))
  await writeFile(path.join(folder, 'page.html'), world.html)
  const port = await freePort()
  let child: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const env = { ...process.env, FOLDER: folder, WORLD: world.url, PORT: `${port}` }
    child = fork(file, { execArgv: [], env })
    await once(child, 'message')
  }
  const end = async (): Promise<void> => {
    if (child) await kill(child)
  }
  onTestFinished(async () => {
    await end()
    await rm(folder, { recursive: true, force: true })
  })
  await start()
  return { url: `http://127.0.0.1:${port}`, kill: end, start }
}
