import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { agent } from '@interleave/core'
import { clientTool, createHandler } from '@interleave/server'
import { nodeListener, sqliteJournal } from '@interleave/server/node'
import { scriptedModel } from '@interleave/testing'
import { z } from 'zod'

const inputSchema = z.object({})
export const pay = clientTool({ inputSchema, effect: 'atMostOnce' })

/** An agent whose only tool is run by the page: it pays once for each message. */
export const payer = agent({
  name: 'payer',
  model: scriptedModel(({ prompt }) =>
    prompt.at(-1)?.role === 'tool' ? 'Paid.' : { calls: [{ name: 'pay', input: {} }] },
  ),
  tools: { pay },
})

/** Serves it, as one of several processes that share the journal in the file DATABASE. */
const { DATABASE = '', PORT } = process.env
const handler = createHandler({
  agents: [payer],
  journal: sqliteJournal(new DatabaseSync(DATABASE)),
  secret: 'a secret for tests only, of 32 bytes and more',
  authorize: () => 'ada',
  limits: { takeoverAfterMs: 60_000 },
})
createServer(nodeListener(handler)).listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'))
process.once('disconnect', () => process.exit())
