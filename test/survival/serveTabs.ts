import { agent, confirm, tool } from '@interleave/core'
import { deferred } from '@interleave/core/internal'
import { memoryJournal } from '@interleave/core/journal'
import { createHandler } from '@interleave/server'
import { nodeListener } from '@interleave/server/node'
import { listen } from '@interleave/test-kit/listen'
import { scriptedModel } from '@interleave/testing'
import { z } from 'zod'
import { bundlePage } from './bundlePage.ts'

export interface TabServer {
  readonly url: string
  readonly port: number
  /** Lets the agent go on, which waits. Then it asks. */
  open(): void
  /** The number of event streams that are open. */
  streams(): number
  /** The most that were open at once. */
  most(): number
  /** The number of requests for events without a stream, so far. */
  polls(): number
}

/** A server over HTTP/1.1 of pages and of runs, whose agent waits until it is let go on, and then asks. */
export async function serveTabs(): Promise<TabServer> {
  const files = await bundlePage()
  const gate = deferred<void>()
  const work = tool({
    inputSchema: z.object({}),
    async execute(_, { ask }) {
      await gate.promise
      return ask(confirm({ prompt: 'Sure?' }))
    },
  })
  const model = scriptedModel(({ prompt }) =>
    prompt.some(({ role }) => role === 'tool') ? 'Done.' : { calls: [{ name: 'work', input: {} }] },
  )
  const answer = nodeListener(
    createHandler({
      agents: [agent({ name: 'a', model, tools: { work } })],
      journal: memoryJournal(),
      secret: 'a secret for tests only, of 32 bytes and more',
      authorize: ({ headers }) => headers.get('authorization') ?? undefined,
      limits: { runs: 100, requests: 100_000 },
    }),
  )
  let [streams, most, polls] = [0, 0, 0]
  const { url, port } = await listen((request, response) => {
    const path = request.url ?? ''
    const file = files.get(path.split('?')[0] ?? '')
    if (file !== undefined) {
      return response.setHeader('content-type', path.includes('.js') ? 'text/javascript' : 'text/html').end(file)
    }
    if (path.includes('wait=false')) polls++
    else if (path.includes('/events')) {
      most = Math.max(most, ++streams)
      response.on('close', () => streams--)
    }
    return answer(request, response)
  })
  return { url, port, open: () => gate.resolve(), streams: () => streams, most: () => most, polls: () => polls }
}
