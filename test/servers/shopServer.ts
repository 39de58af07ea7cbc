import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { createHandler } from '@interleave/server'
import { nodeListener, postgresJournal, sqliteJournal } from '@interleave/server/node'
import { type LifeParts, mutants } from '@interleave/test-kit/chaos/mutants'
import { shopAgent } from '@interleave/test-kit/chaos/shopAgent'
import pg from 'pg'
import { installClock } from '../troubles/jumpingClock.ts'

/**
 * Starts a server process, which may share its database with others. DATABASE is the address of a PostgreSQL, a
 * file of SQLite, or `memory`. RULE is the rule that it breaks. PATIENCE_MS is how long its tools wait for the shop. A message
 * with a number moves its clock.
 */
installClock()
const { DATABASE = '', SHOP: url = '', MODEL: modelUrl, PORT, RULE, QUERY_MS, TAKEOVER_MS = '1000' } = process.env
const { PATIENCE_MS } = process.env
const ended = new Promise<void>((resolve) =>
  process.on('message', (message) => {
    if (message === 'end') resolve()
    if (typeof message === 'number') jumpClock(message)
  }),
)

function openJournal(): Journal {
  if (DATABASE === 'memory') return memoryJournal()
  if (!DATABASE.startsWith('postgres:')) return sqliteJournal(new DatabaseSync(DATABASE))
  const limits = { query_timeout: Number(QUERY_MS), connectionTimeoutMillis: Number(QUERY_MS), keepAlive: true }
  const pool = new pg.Pool({ connectionString: DATABASE, ...(QUERY_MS && limits) })
  pool.on('error', () => {})
  return postgresJournal(pool)
}

const sound: LifeParts = { journal: openJournal(), agent: {}, ended }
const { journal, agent } = mutants.find(({ rule }) => rule === RULE)?.breaks(sound) ?? sound
const { keyOf = (key: string) => key } = agent

const handler = createHandler({
  // A run is kept under its user's name, which a journal that is asked as that user leaves out.
  agents: [
    shopAgent({
      url,
      modelUrl,
      giveUpMs: PATIENCE_MS ? Number(PATIENCE_MS) : undefined,
      ...agent,
      keyOf: (key) => keyOf(key.slice(key.indexOf('/') + 1)),
    }),
  ],
  journal,
  secret: 'a secret for tests only, of 32 bytes and more',
  authorize: ({ headers }) => headers.get('authorization') ?? undefined,
  limits: {
    ...{ requests: 1_000_000, runs: 1_000, streams: 1_000, heartbeatMs: 200 },
    ...(Number(TAKEOVER_MS) > 0 && { takeoverAfterMs: Number(TAKEOVER_MS) }),
  },
})
createServer(nodeListener(handler)).listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'))
process.once('disconnect', () => process.exit())
