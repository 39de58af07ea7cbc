import { memoryJournal } from '@interleave/core/journal'
import { createHandler } from '@interleave/server'
import { Hono } from 'hono'
import { waiter } from './waiter.ts'

const handle = createHandler({
  agents: [waiter],
  journal: memoryJournal(), // Its runs end with the process. A journal over your storage keeps them.
  secret: process.env.SECRET ?? crypto.randomUUID(), // Set it, or a restart forgets open questions: openssl rand -hex 32
  authorize: ({ headers }) => headers.get('authorization') ?? undefined,
})

const app = new Hono()
app.all('/api/*', ({ req }) => handle(req.raw))
export default app
