import { DatabaseSync } from 'node:sqlite'
import { createHandler } from '@interleave/server'
import { sqliteJournal } from '@interleave/server/node'
import { Hono } from 'hono'
import { secret } from './secret.ts'
import { waiter } from './waiter.ts'

const handle = createHandler({
  agents: [waiter],
  journal: sqliteJournal(new DatabaseSync(process.env.RUNS ?? 'runs.db')),
  secret,
  // Each browser is a user of its own. Put your sign-in here.
  authorize: ({ headers }) => headers.get('authorization') ?? undefined,
})

const app = new Hono()
app.all('/api/*', ({ req }) => handle(req.raw))
export default app
