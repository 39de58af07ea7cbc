import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePorts } from '../processes/freePorts.ts'
import { openGate } from './openGate.ts'
import { register, restateNode } from './restateNode.ts'
import type { RestateServer } from './startRestate.ts'

/** Three nodes of Restate's server that keep everything twice, behind one address. */
export interface RestateCluster extends Pick<RestateServer, 'ingress' | 'register' | 'close'> {
  /** Kills one node after the other. Each comes back so many milliseconds later, and before the next one goes. */
  killNode(downMs: number): Promise<void>
}

const names = ['one', 'two', 'three'] as const

export async function startCluster(): Promise<RestateCluster> {
  const folder = await mkdtemp(path.join(tmpdir(), 'restate-'))
  const ports = await freePorts(3 * names.length)
  const portsOf = (index: number): readonly number[] => ports.slice(3 * index, 3 * index + 3)
  const addresses = names.map((_, index) => `http://127.0.0.1:${portsOf(index)[2]}`)
  const nodes = names.map((name, index) =>
    restateNode({
      ...{ folder, name, ports: portsOf(index) },
      settings: {
        RESTATE_AUTO_PROVISION: `${index === 0}`,
        RESTATE_DEFAULT_NUM_PARTITIONS: '4',
        RESTATE_DEFAULT_REPLICATION: '2',
        RESTATE_METADATA_CLIENT__ADDRESSES: `[${addresses.map((address) => `"${address}"`).join()}]`,
      },
    }),
  )
  await Promise.all(nodes.map((node) => node.start()))
  const gate = await openGate()
  const leadTo = (index: number): void => gate.leadTo(portsOf(index % nodes.length)[0] ?? 0)
  leadTo(0)
  let next = 0
  let isBack: Promise<unknown> = Promise.resolve()
  return {
    ingress: gate.url,
    register: (uri, mode) => register(nodes[0]?.admin ?? '', uri, mode),
    async killNode(downMs) {
      await isBack
      const index = next++ % nodes.length
      leadTo(index + 1)
      await nodes[index]?.kill()
      gate.cut()
      isBack = pause(downMs).then(() => nodes[index]?.start())
    },
    async close() {
      await isBack
      gate.close()
      for (const node of nodes) await node.kill()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
