// The page of reload.soak.test.ts.
import { indexedDbJournal } from '@interleave/core/indexeddb'
import { mcpClient, mcpTools } from '../index.ts'
import { caller, callOf } from './agents.ts'

/** Starts a run, or opens the one with this id, and returns functions to inspect it. */
async function open(url: string, id?: string) {
  const journal = indexedDbJournal()
  const buyer = caller(mcpTools(mcpClient({ url })), 'pay', { amount: 5 })
  const run = id === undefined ? buyer.start('Go', { journal }) : await buyer.resume(id, { journal })
  await run.settled
  const seen = () => ({ id: run.id, ask: run.state.asks[0]?.prompt, output: callOf(run)?.output })
  return {
    seen,
    async reply(value: unknown) {
      await run.reply(run.state.asks[0]?.id ?? '', value)
      await run.settled
      return seen()
    },
  }
}

Object.assign(globalThis, { open, list: (url: string) => mcpClient({ url }).listTools() })
