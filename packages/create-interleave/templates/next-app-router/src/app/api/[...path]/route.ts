import { DatabaseSync } from 'node:sqlite'
import { createHandler } from '@interleave/server'
import { sqliteJournal } from '@interleave/server/node'
import { waiter } from '../../../waiter.ts'

const handle = createHandler({
  agents: [waiter],
  journal: sqliteJournal(new DatabaseSync(process.env.RUNS ?? 'runs.db')),
  secret: process.env.SECRET ?? crypto.randomUUID(), // In production: openssl rand -hex 32
  // Each browser is a user of its own. Put your sign-in here.
  authorize: ({ headers }) => headers.get('authorization') ?? undefined,
})

export { handle as DELETE, handle as GET, handle as OPTIONS, handle as POST, handle as PUT }
