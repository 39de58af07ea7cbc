// A server in a thread of its own: a handler with its agents, and beside it the least that sends the same.

import { parentPort } from 'node:worker_threads'
import { agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { createHandler } from '@interleave/server'
import { createKit } from '../kit.ts'
import { createWorker } from '../subjects/interleave.ts'
import { listen } from './listen.ts'
import { pacedModel } from './pacedModel.ts'
import { writeFloor } from './writeFloor.ts'

const journal = memoryJournal()
const kit = createKit()
const paced = pacedModel(400, 5)
const handle = createHandler({
  agents: [createWorker(kit), agent({ name: 'paced', model: paced })],
  journal,
  secret: 'a secret for measurements, of 32 bytes',
  authorize: () => 'ada',
  limits: { requests: 1_000_000 },
})
const models = { '/floor/paced': paced, '/floor/deltas': kit.model }
const url = await listen(handle, async ({ url: path = '' }, outgoing) => {
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  if (!pathname.startsWith('/floor')) return false
  const model = models[pathname as keyof typeof models]
  const prompt = searchParams.get('prompt') ?? ''
  await writeFloor(outgoing, model ? { model, prompt } : await journal.read(`ada/${searchParams.get('run')}`))
  return true
})
parentPort?.postMessage(url)
