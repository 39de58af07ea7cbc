import { createServer } from 'node:http'
import { createHandler } from '@interleave/server'
import { nodeListener, postgresJournal } from '@interleave/server/node'
import { type LifeParts, mutants } from '@interleave/test-kit/chaos/mutants'
import { shopAgent } from '@interleave/test-kit/chaos/shopAgent'
import pg from 'pg'

/** Starts one of several server processes that share a PostgreSQL. RULE is the rule that it breaks. */
const { DATABASE: connectionString = '', SHOP: url = '', PORT, RULE } = process.env
const ended = new Promise<void>((resolve) => process.once('message', () => resolve()))
const sound: LifeParts = { journal: postgresJournal(new pg.Pool({ connectionString })), agent: {}, ended }
const { journal, agent } = mutants.find(({ rule }) => rule === RULE)?.breaks(sound) ?? sound
const { keyOf = (key: string) => key } = agent

const handler = createHandler({
  // A run is kept under its user's name, which a journal that is asked as that user leaves out.
  agents: [shopAgent({ url, ...agent, keyOf: (key) => keyOf(key.slice(key.indexOf('/') + 1)) })],
  journal,
  secret: 'a secret for tests only, of 32 bytes and more',
  authorize: ({ headers }) => headers.get('authorization') ?? undefined,
  limits: { takeoverAfterMs: 1_000, requests: 1_000_000, runs: 1_000, streams: 1_000, heartbeatMs: 200 },
})
createServer(nodeListener(handler)).listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'))
process.once('disconnect', () => process.exit())
