import { memoryJournal } from '@interleave/core/journal'
import { createHandler } from '@interleave/server'
import { waiter } from '../../../waiter.ts'

const handle = createHandler({
  agents: [waiter],
  journal: memoryJournal(), // Its runs end with the process. A journal over your storage keeps them.
  secret: process.env.SECRET ?? crypto.randomUUID(), // Set it, or a restart forgets open questions: openssl rand -hex 32
  authorize: ({ headers }) => headers.get('authorization') ?? undefined,
})

export { handle as DELETE, handle as GET, handle as POST, handle as PUT }
