import { pageAgent } from '@interleave/connect/worker'
import { restateAgent } from '@interleave/restate'
import { quickHost } from './quickHost.ts'

/** A process that shows runs of the drawer, and performs what only a page can. What it does is in a ledger elsewhere. */
const { INGRESS: ingress = '', LEDGER = '' } = process.env

const perform =
  (tool: string) =>
  async (_: never, { idempotencyKey, abortSignal }: { idempotencyKey: string; abortSignal: AbortSignal }) => {
    await fetch(LEDGER, { method: 'POST', body: JSON.stringify([tool, idempotencyKey]), signal: abortSignal })
    return 'done'
  }
const drawer = pageAgent(restateAgent({ agent: 'drawer', ingress, host: quickHost }), {
  tools: { stamp: perform('stamp'), draw: perform('draw') },
})
process.on('message', (id: string) => drawer.resume(id).catch(() => process.exit(1)))
process.once('disconnect', () => process.exit())
process.send?.('ready')
