// The programs of the pages, as processes, on a Restate of their own: only the ports are others.

import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { moduleNamed, writeModules } from '../docs/modules.ts'
import { freePort } from '../processes/freePorts.ts'
import { needsRestate } from './needsRestate.ts'
import { type RestateServer, restateBinary, startRestate } from './startRestate.ts'

needsRestate()

const run = promisify(execFile)
const execArgv = ['--conditions=@interleave/source']

let server: RestateServer
let folder: string
const workers: ChildProcess[] = []

beforeAll(async () => {
  if (!restateBinary) return
  server = await startRestate()
  folder = writeModules('restate')
})
afterAll(async () => {
  for (const worker of workers) {
    worker.kill()
    await once(worker, 'exit')
  }
  await server?.close()
})

/** The file of a program, with the ports of this test, and more at its end. */
async function programOf(name: string, port = 0, more = ''): Promise<string> {
  const program = moduleNamed(name)
  const file = path.join(folder, program.path)
  const text = program.text
    .replaceAll('http://localhost:8080', server.ingress)
    .replaceAll('http://localhost:9070', server.admin)
    .replaceAll('listen(9080)', `listen(${port})`)
  await writeFile(file, `${text}\n${more}`)
  return file
}

it.runIf(restateBinary).each(['docs/scaling-out.md 1', 'packages/restate/README.md 1'])(
  '%s serves the runs that the documented client begins',
  async (name) => {
    const port = await freePort()
    workers.push(fork(await programOf(name, port), { execArgv, stdio: 'ignore' }))
    await vi.waitFor(() => server.register(`http://localhost:${port}`), { timeout: 30_000, interval: 100 })
    const client = await programOf('docs/scaling-out.md 2', 0, 'console.log(JSON.stringify(signal))')

    const { stdout } = await run(process.execPath, [...execArgv, client])

    expect(JSON.parse(stdout)).toMatchObject({ type: 'answer', output: 'The National Museum is open on Monday.' })
  },
)

it.runIf(restateBinary)('watches and prunes with the documented programs', async () => {
  const watch = await programOf('docs/scaling-out.md 7', 0, 'watch.close()')
  const prune = await programOf('docs/scaling-out.md 8')

  await expect(run(process.execPath, [...execArgv, watch])).resolves.toMatchObject({ stderr: '' })
  await expect(run(process.execPath, [...execArgv, prune])).resolves.toMatchObject({ stderr: '' })
})
