import { setTimeout as pause } from 'node:timers/promises'
import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import { listen } from '@interleave/test-kit/listen'
import { fetchServer } from './fetchServer.ts'

/** The deeds of processes that are killed. This process never is. */
export interface Ledger {
  readonly url: string
  /** Names of tools with the idempotency keys of calls, in their order. */
  readonly lines: readonly string[]
  close(): void
}

/** Opens a ledger. Each line takes at most this number of milliseconds to be confirmed, after it is written. */
export async function openLedger({ seed, ms }: { readonly seed: number; readonly ms: number }): Promise<Ledger> {
  const random = createRandom(seed)
  const lines: string[] = []
  const server = fetchServer(async (request) => {
    const [tool, key] = (await request.json()) as readonly string[]
    lines.push(`${tool} ${key}`)
    await pause(random() * ms)
    return new Response()
  })
  const { url, close } = await listen(server)
  return { url, lines, close }
}
