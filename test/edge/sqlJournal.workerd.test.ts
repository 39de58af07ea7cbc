// The journal of Durable Objects, on the SQLite of workerd.

import { memoryJournal } from '@interleave/core/journal'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleWorker } from './bundleWorker.ts'
import { journalCases } from './journalCases.ts'
import { startWorkerd, type Workerd } from './startWorkerd.ts'

let workerd: Workerd | undefined

beforeAll(async () => {
  workerd = await startWorkerd({
    code: await bundleWorker('journalWorker.ts'),
    objects: { JOURNALS: 'JournalObject' },
  })
})

afterAll(async () => {
  await workerd?.end()
})

test.each(journalCases(() => memoryJournal()))('$name', async ({ name }) => {
  const response = await fetch(`${workerd?.url}/${encodeURIComponent(name)}`)

  expect(await response.json()).toBe('passed')
})
