// One of several server processes over a PostgreSQL.

import { createServer } from 'node:http'
import process from 'node:process'
import { createHandler } from '@interleave/server'
import { nodeListener, postgresJournal } from '@interleave/server/node'
import pg from 'pg'
import { payers } from './payer.ts'

const { WORLD = '', STORE: connectionString = '', PORT } = process.env
const handler = createHandler({
  agents: payers(WORLD),
  journal: postgresJournal(new pg.Pool({ connectionString })),
  secret: 'a secret for trials only, of 32 bytes and more',
  authorize: ({ headers }) => headers.get('authorization') ?? undefined,
  limits: { takeoverAfterMs: 1_000 },
})
createServer(nodeListener(handler)).listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'))
process.once('disconnect', () => process.exit())
