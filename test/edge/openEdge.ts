import { remoteAgent } from '@interleave/connect/http'
import { bundleWorker } from './bundleWorker.ts'
import { openWorld, type World, type WorldOptions } from './openWorld.ts'
import { startWorkerd, type Workerd } from './startWorkerd.ts'

/** A workerd that serves the agent `doer`, and the world that it works on. */
export interface Edge {
  readonly world: World
  readonly workerd: Workerd
  /** Returns the agent, as a user's page has it. */
  doer(by: string, tools?: object): ReturnType<typeof remoteAgent>
  /** Sends one request of a user. */
  ask(by: string, path: string, init?: Asking): Promise<Response>
  /** Which life of its object a run is in. */
  lifeOf(by: string, id: string): Promise<string>
  /** Ends the object of a run, as it is. */
  abort(by: string, id: string): Promise<void>
  /** Says whether the object of a run has room to write. */
  setRoom(by: string, id: string, has: 'room' | 'full'): Promise<void>
  /** Returns the deeds of a run, in order. */
  deedsOf(id: string): readonly string[]
  end(): Promise<void>
}

export interface Asking {
  readonly method?: string
  readonly body?: unknown
  readonly signal?: AbortSignal
}

export interface EdgeOptions extends Partial<Pick<WorldOptions, 'modelMs' | 'deedMs'>> {
  readonly watchMs?: number
  /** Limits that replace those of the tests. */
  readonly limits?: object
}

/** Opens an edge. The first message of a run says what it does, after a word that names it. */
export async function openEdge({ modelMs = 20, deedMs = 10, watchMs = 500, limits = {} }: EdgeOptions): Promise<Edge> {
  const world = await openWorld({ modelMs, deedMs, scriptOf: (said) => said.split(' ').slice(1) })
  const workerd = await startWorkerd({
    code: await bundleWorker('runsWorker.ts'),
    objects: { RUNS: 'RunObject', USERS: 'UserObject' },
    texts: { WORLD: world.url, WATCH_MS: String(watchMs), LIMITS: JSON.stringify(limits) },
  })
  const ofObject = (what: string, by: string, id: string): Promise<Response> =>
    fetch(`${workerd.url}/test/${what}?name=${by}/${id}`)
  return {
    world,
    workerd,
    doer: (by, tools = {}) =>
      remoteAgent({ url: workerd.url, name: 'doer', headers: { authorization: by }, tools: tools as never }),
    ask: (by, path, { method, body, signal } = {}) =>
      fetch(`${workerd.url}/v1/${path}`, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        ...(signal && { signal }),
        headers: { authorization: by, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    lifeOf: async (by, id) => (await ofObject('life', by, id)).text(),
    async abort(by, id) {
      await ofObject('abort', by, id).catch(() => {})
    },
    async setRoom(by, id, has) {
      await ofObject(has, by, id)
    },
    deedsOf: (id) => world.deeds.filter(({ key }) => key.includes(id)).map(({ name }) => name),
    async end() {
      await workerd.end()
      world.close()
    },
  }
}
