import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import path from 'node:path'

/**
 * The settings that stay the same across starts: Restate looks for the worker of a run at its old address, and a
 * browser stores data by address.
 */
export interface Setup {
  readonly ports: Readonly<Record<PortName, number>>
  /** Signs the tokens with which questions can be answered. */
  readonly secret: string
  readonly hubSecret: string
}

const portNames = ['page', 'ingress', 'admin', 'node', 'worker'] as const
export type PortName = (typeof portNames)[number]

/** The ports of the documentation, if they are free. */
const usual: Readonly<Record<PortName, number>> = { page: 5173, ingress: 8080, admin: 9070, node: 5122, worker: 9080 }

/** Returns the setup of a folder; creates it at the first call. Throws if one of its ports is taken. */
export async function keptSetup(folder: string): Promise<Setup> {
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, 'setup.json')
  if (!existsSync(file)) writeFileSync(file, `${JSON.stringify(await newSetup(), null, 2)}\n`, { mode: 0o600 })
  const setup = JSON.parse(readFileSync(file, 'utf8')) as Setup
  for (const name of portNames) {
    if (await isTaken(setup.ports[name]))
      throw new Error(
        `Port ${setup.ports[name]} is taken, which ${words[name]} needs. If the demo runs elsewhere, end it there. ` +
          `Otherwise end the process that has the port, or delete ${folder} to start again, without the runs.`,
      )
  }
  return setup
}

const words: Readonly<Record<PortName, string>> = {
  page: 'the playground',
  ingress: 'Restate',
  admin: 'Restate’s admin API',
  node: 'Restate’s node',
  worker: 'the worker',
}

async function newSetup(): Promise<Setup> {
  const ports: Record<string, number> = {}
  for (const name of portNames) ports[name] = (await isTaken(usual[name])) ? await freePort() : usual[name]
  return { ports: ports as Setup['ports'], secret: randomText(), hubSecret: randomText() }
}

const randomText = (): string => randomBytes(32).toString('hex')

/** Tries both addresses of this machine: a server listens at one of them, or at all. */
const isTaken = async (port: number): Promise<boolean> =>
  (await Promise.all(['127.0.0.1', '::1'].map((host) => answers(port, host)))).some(Boolean)

const answers = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host)
    const end = (isThere: boolean): void => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
