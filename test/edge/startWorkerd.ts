import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
// @ts-expect-error The package has no types: its default is the path of the program.
import * as workerd from 'workerd'
import { freePort } from '../processes/freePorts.ts'

/** The default of a CommonJS module, which Node wraps once more. */
const program: string = workerd.default.default ?? workerd.default

/** A workerd of its own, whose Durable Objects are kept on disk over the death of its process. */
export interface Workerd {
  readonly url: string
  /** Returns its output. */
  readonly said: () => string
  /** Ends the process in the middle of whatever it does, and begins another on what was kept. */
  killAndStart(): Promise<void>
  end(): Promise<void>
}

export interface WorkerdOptions {
  /** The module of the worker. */
  readonly code: string
  /** The classes of its Durable Objects, by the name of their binding. */
  readonly objects?: Readonly<Record<string, string>>
  /** Texts of its environment. */
  readonly texts?: Readonly<Record<string, string>>
  /** The compiled WebAssembly that the module imports, by file names. */
  readonly wasm?: Readonly<Record<string, Uint8Array>>
  readonly flags?: readonly string[]
}

export async function startWorkerd({ code, wasm = {}, ...options }: WorkerdOptions): Promise<Workerd> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'interleave-workerd-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  await mkdir(path.join(folder, 'kept'))
  await writeFile(path.join(folder, 'worker.js'), code)
  for (const [name, bytes] of Object.entries(wasm)) await writeFile(path.join(folder, name), bytes)
  await writeFile(path.join(folder, 'config.capnp'), configOf({ folder, port, ...options, wasm: Object.keys(wasm) }))
  let said = ''
  let child: ChildProcess | undefined

  const start = async (): Promise<void> => {
    const begun = spawn(program, ['serve', 'config.capnp', '--experimental', '--control-fd=3'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    })
    child = begun
    const receive = (chunk: unknown): void => {
      said = (said + String(chunk)).slice(-20_000)
    }
    begun.stdout?.on('data', receive)
    begun.stderr?.on('data', receive)
    await new Promise<void>((resolve, reject) => {
      begun.stdio[3]?.on('data', (chunk) => String(chunk).includes('"listen"') && resolve())
      begun.on('exit', () => reject(new Error(`workerd ended: ${said}`)))
    })
  }
  const kill = async (): Promise<void> => {
    const ended = new Promise((resolve) => child?.once('exit', resolve))
    child?.kill('SIGKILL')
    await ended
  }
  await start()
  return {
    url,
    said: () => said,
    async killAndStart() {
      await kill()
      await start()
    },
    async end() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface Config extends Pick<WorkerdOptions, 'objects' | 'texts' | 'flags'> {
  readonly folder: string
  readonly port: number
  readonly wasm: readonly string[]
}

const configOf = ({ folder, port, wasm, objects = {}, texts = {}, flags = [] }: Config): string => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [${[
        '(name = "worker.js", esModule = embed "worker.js")',
        ...wasm.map((name) => `(name = "${name}", wasm = embed "${name}")`),
      ]}],
      compatibilityDate = "2026-07-01",
      compatibilityFlags = ${JSON.stringify(flags)},
      durableObjectNamespaces = [${Object.values(objects).map(
        (name) => `(className = "${name}", uniqueKey = "${name}", enableSql = true)`,
      )}],
      durableObjectStorage = (localDisk = "kept"),
      bindings = [${[
        ...Object.entries(objects).map(([name, of]) => `(name = "${name}", durableObjectNamespace = "${of}")`),
        ...Object.entries(texts).map(([name, text]) => `(name = "${name}", text = ${JSON.stringify(text)})`),
      ]}],
    )),
    (name = "kept", disk = (path = ${JSON.stringify(path.join(folder, 'kept'))}, writable = true)),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`
