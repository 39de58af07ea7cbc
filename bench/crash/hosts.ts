import path from 'node:path'
import { remoteAgent } from '@interleave/connect/http'
import { restateAgent } from '@interleave/restate'
import { bundleWorker } from '../../test/edge/bundleWorker.ts'
import { startWorkerd } from '../../test/edge/startWorkerd.ts'
import { openGate } from '../../test/restate/openGate.ts'
import { startRestate } from '../../test/restate/startRestate.ts'
import { startPostgres } from '../../test/servers/startPostgres.ts'
import { type Host, Relay, servedLife } from './served.ts'
import type { OpenedSubject, Place } from './subject.ts'

const programs = path.join(import.meta.dirname, 'programs')

const serve = (hosts: readonly Host[], close?: () => Promise<void>): OpenedSubject => ({
  begin: servedLife(hosts),
  async close() {
    for (const host of hosts) await host.close()
    await close?.()
  },
})

/** As many as there are lanes. */
const forLanes = <T>(lanes: number, open: () => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: lanes }, open))

/** Two server processes over one PostgreSQL. The one that owns the run is killed, and the client asks the other. */
export async function openServers({ world, lanes }: Place): Promise<OpenedSubject> {
  const postgres = await startPostgres()
  const env = { WORLD: world, STORE: postgres.url }
  const relays = await forLanes(lanes, () => Relay.open(path.join(programs, 'server.ts'), env))
  const hosts = relays.map((relay) => ({
    agentOf: (name: string, authorization: string) =>
      remoteAgent({ url: `http://127.0.0.1:${relay.port}`, name, headers: { authorization } }),
    kill: () => relay.kill(),
    close: () => relay.close(),
  }))
  return serve(hosts as readonly Host[], () => postgres.close())
}

/** A workerd, whose Durable Objects are on disk. */
export async function openWorkerd({ world, lanes }: Place): Promise<OpenedSubject> {
  const code = await bundleWorker(path.relative(path.dirname(bundled), path.join(programs, 'durableObject.ts')))
  const objects = { RUNS: 'RunObject', USERS: 'UserObject' }
  const texts = { WORLD: world, SECRET: 'a secret for trials only, of 32 bytes and more' }
  const all = await forLanes(lanes, () => startWorkerd({ code, objects, texts }))
  const hosts = all.map((workerd) => ({
    agentOf: (name: string, authorization: string) =>
      remoteAgent({ url: workerd.url, name, headers: { authorization } }),
    kill: () => workerd.killAndStart(),
    close: () => workerd.end(),
  }))
  return serve(hosts as readonly Host[])
}

const bundled = path.join(import.meta.dirname, '../../test/edge/bundleWorker.ts')

/** A server of Restate's, with a process behind it that executes runs. */
export async function openRestate({ world, lanes }: Place): Promise<OpenedSubject> {
  return serve(await forLanes(lanes, () => openRestateHost(world)))
}

async function openRestateHost(world: string): Promise<Host> {
  const [server, gate] = await Promise.all([startRestate({ RESTATE_DEFAULT_NUM_PARTITIONS: '4' }), openGate()])
  const { ingress } = server
  const relay = await Relay.open(path.join(programs, 'restate.ts'), { WORLD: world, STORE: ingress })
  gate.leadTo(relay.port)
  await server.register(gate.url)
  return {
    agentOf: (agent) => restateAgent({ agent, ingress }) as ReturnType<Host['agentOf']>,
    async kill() {
      await relay.kill()
      gate.leadTo(relay.port)
    },
    async close() {
      await relay.close()
      gate.close()
      await server.close()
    },
  }
}
