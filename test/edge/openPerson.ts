import { setTimeout as pause } from 'node:timers/promises'
import type { Ask, Run } from '@interleave/core'
import { remoteAgent } from '@interleave/core/remote'
import type { World } from './openWorld.ts'

/** Somebody whose runs go on however often their objects die: what is asked is answered by what the world knows. */
export interface Person {
  /** Begins a run with a page that looks at it. Resolves when it is done, with the events that the page heard of. */
  watch(said: string): Promise<Done>
  /** Begins a run that no page looks at: a look at how it is does not bring it back. */
  leave(said: string): Promise<Done>
}

export interface Done {
  readonly id: string
  readonly output: unknown
  /** The `seq` of each kept event, as a page heard them; all there are, where none looked. */
  readonly seqs: readonly number[]
}

export interface PersonOptions {
  readonly name: string
  readonly url: string
  readonly world: World
}

export function openPerson({ name, url, world }: PersonOptions): Person {
  const headers = { authorization: name, 'content-type': 'application/json' }
  const answerTo = async (runId: string, ask: Ask): Promise<string> => {
    if (!ask.id.endsWith('/doubt')) return 'aisle'
    // What was sent may be on its way.
    await pause(100)
    const call = ask.id.slice(0, -'/doubt'.length)
    return world.deeds.some(({ key }) => key.includes(runId) && key.endsWith(`/${call}`)) ? 'done' : 'again'
  }
  const answerAll = async (run: Run): Promise<void> => {
    for (const ask of run.state.asks) {
      await run.reply(ask.id, await answerTo(run.id, ask)).catch(ignore)
    }
  }
  const read = async (path: string, body?: unknown): Promise<Looked> => {
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${url}/v1/runs${path}`, init)
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as Looked
  }
  return {
    async watch(said) {
      const run = remoteAgent({ url, name: 'doer', headers }).start(said)
      const seqs: number[] = []
      run.subscribe((event) => 'seq' in event && seqs.push(event.seq))
      for (;;) {
        const rest = await run.settled
        if (rest.type === 'answer') {
          run.close()
          return { id: run.id, output: rest.output, seqs }
        }
        if (rest.type === 'failed') throw new Error(JSON.stringify(rest))
        await answerAll(run)
        await pause(20)
      }
    },
    async leave(said) {
      const id = crypto.randomUUID()
      await again(() => read('', { agent: 'doer', id, input: said }))
      for (;;) {
        await pause(150)
        const { rest, asks, length } = await again(() => read(`/${id}`))
        if (rest === 'answer') return { id, output: `${said} is done.`, seqs: Array.from({ length }, (_, seq) => seq) }
        if (rest === 'failed') throw new Error(`The run ${id} has failed.`)
        for (const { ask, token } of rest ? asks : []) {
          await read(`/${id}/reply`, { ask: ask.id, value: await answerTo(id, ask), token }).catch(ignore)
        }
      }
    },
  }
}

interface Looked {
  readonly rest?: string
  readonly length: number
  readonly asks: readonly { readonly ask: Ask; readonly token: string }[]
}

/** While nobody is there to answer. */
async function again<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask()
    } catch {
      await pause(50)
    }
  }
}
const ignore = (): void => {}
