import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sqlJournal } from '@interleave/cloudflare'
import { journalSuite } from '@interleave/testing'
import { afterAll, expect, it } from 'vitest'
import { sqliteStorage } from './sqliteStorage.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'runs-'))
afterAll(() => rmSync(folder, { recursive: true }))

for (const { name, run } of journalSuite(() => sqlJournal(sqliteStorage(':memory:')))) it(name, run)
it('has in a file what another one wrote to it', async () => {
  const file = path.join(folder, 'runs.sqlite')
  const started = { type: 'started', seq: 0, at: 1, iteration: 0, runId: 'a', agent: 'guide', version: '1' } as const
  await sqlJournal(sqliteStorage(file)).append('a', [started])

  expect(sqlJournal(sqliteStorage(file)).read('a')).toEqual([started])
})
