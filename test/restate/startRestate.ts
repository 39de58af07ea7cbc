import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePorts } from '../processes/freePorts.ts'
import { register, restateNode } from './restateNode.ts'

export { restateBinary } from './restateBinary.ts'
export { query } from './restateNode.ts'

/** A server of Restate's that belongs to a test. */
export interface RestateServer {
  readonly ingress: string
  readonly admin: string
  /** Tells it where handlers are. */
  register(uri: string, mode?: 'fetch' | 'http2'): Promise<void>
  /** Ends it as a power cut would, and starts it again on what it kept. */
  restart(): Promise<void>
  close(): Promise<void>
}

export async function startRestate(settings: Readonly<Record<string, string>> = {}): Promise<RestateServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'restate-'))
  const node = restateNode({ folder, name: 'one', ports: await freePorts(3), settings })
  await node.start()
  return {
    ingress: node.ingress,
    admin: node.admin,
    register: (uri, mode) => register(node.admin, uri, mode),
    async restart() {
      await node.kill()
      await node.start()
    },
    async close() {
      await node.kill()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
