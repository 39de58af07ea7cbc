import { DatabaseSync } from 'node:sqlite'
import { createHandler } from '@interleave/server'
import { sqliteJournal } from '@interleave/server/node'
import { secret } from '../../../secret.ts'
import { waiter } from '../../../waiter.ts'

const handle = createHandler({
  agents: [waiter],
  // A file suits one server of your own. On a serverless host its disk is lost: `npm install pg`, and write
  // `journal: postgresJournal(new Pool({ connectionString: process.env.DATABASE_URL }))`.
  journal: sqliteJournal(new DatabaseSync(process.env.RUNS ?? 'runs.db')),
  secret,
  // Each browser is a user of its own. Put your sign-in here.
  authorize: ({ headers }) => headers.get('authorization') ?? undefined,
})

export { handle as DELETE, handle as GET, handle as OPTIONS, handle as POST, handle as PUT }
