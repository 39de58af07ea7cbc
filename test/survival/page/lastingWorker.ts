import { workerHost } from '@interleave/connect/worker'
import { agent, tool } from '@interleave/core'
import { indexedDbJournal } from '@interleave/core/indexeddb'
import { scriptedModel } from '@interleave/testing'
import * as z from 'zod'
import { post } from './post.ts'

const instance = crypto.randomUUID()
const wait = tool({
  inputSchema: z.object({}),
  effect: 'idempotent',
  execute: (_, { idempotencyKey }) => post('wait', instance, idempotencyKey),
})

export const patient = agent({
  name: 'patient',
  model: scriptedModel(({ prompt }) =>
    prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ name: 'wait', input: {} }] },
  ),
  tools: { wait },
})

workerHost([patient], { journal: indexedDbJournal({ name: 'lasting' }) })
