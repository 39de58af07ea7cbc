import { remoteAgent, remoteJournal } from '@interleave/connect/http'
import type { Ask } from '@interleave/core'
import type { ChaosPlace } from '@interleave/test-kit/chaos/chaos'

/** Runs in Durable Objects whose user shows only every other one: the others must continue by themselves. */
export interface EdgePlace extends Omit<ChaosPlace, 'kill'> {
  /** The runs that were begun. */
  readonly ids: ReadonlySet<string>
  /** The `seq` of each kept event of the runs that are looked at, as their page heard them. */
  readonly received: ReadonlyMap<string, readonly number[]>
  close(): void
}

export interface EdgePlaceOptions {
  readonly url: string
  /** The user of the runs. */
  readonly by: string
}

export function edgePlace({ url, by }: EdgePlaceOptions): EdgePlace {
  const headers = { authorization: by, 'content-type': 'application/json' }
  const shopper = remoteAgent({ url, name: 'shopper', headers })
  const journal = remoteJournal({ url, headers })
  const pages = new Map<string, ReturnType<typeof shopper.start>>()
  const received = new Map<string, number[]>()
  const ids = new Set<string>()
  const ask = async (path: string, body?: unknown): Promise<Looked> => {
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(`${url}/v1/runs${path}`, init)
    if (!response.ok) throw new Error(await response.text())
    return (await response.json()) as Looked
  }
  const watch = (id: string, message: string): void => {
    const run = shopper.start(message, { id })
    const seqs: number[] = []
    run.subscribe((event) => 'seq' in event && seqs.push(event.seq))
    pages.set(id, run)
    received.set(id, seqs)
  }
  return {
    ids,
    received,
    async start(id, message) {
      const isWatched = pages.has(id) || (!ids.has(id) && ids.size % 2 === 0)
      ids.add(id)
      if (!isWatched) await ask(`/${id}`, { agent: 'shopper', input: message })
      else if (!pages.has(id)) watch(id, message)
    },
    async reply(id, askId, value) {
      const page = pages.get(id)
      if (page) return page.reply(askId, value as never)
      const { asks } = await ask(`/${id}`)
      const found = asks.find(({ ask: { id: each } }) => each === askId)
      return ask(`/${id}/reply`, { ask: askId, value, token: found?.token })
    },
    // It is stored elsewhere, and reading it does not resume the run.
    read: async (id) => journal.read(id),
    close() {
      for (const page of pages.values()) page.close()
    },
  }
}

interface Looked {
  readonly asks: readonly { readonly ask: Ask; readonly token: string }[]
}
