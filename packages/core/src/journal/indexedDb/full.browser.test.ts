import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { cdp, server } from 'vitest/browser'
import { z } from 'zod'
import { agent, tool } from '../../index.ts'
import { exportRun, importRun, memoryJournal } from '../index.ts'
import { indexedDbJournal } from './index.ts'

const inputSchema = z.object({})

it('settles when the disk is full, and writes everything when there is room again', async ({ skip }) => {
  skip(server.browser !== 'chromium', 'Only the protocol of Chromium limits the storage of one origin.')
  const name = `full-${Date.now()}`
  const noise = () => Array.from(crypto.getRandomValues(new Uint32Array(15_000)), (n) => n.toString(36)).join('')
  const fill = tool({ inputSchema, effect: 'readOnly', execute: noise })
  const turns = Array.from({ length: 9 }, () => ({
    calls: Array.from({ length: 3 }, () => ({ name: 'fill', input: {} })),
  }))
  const described = agent({ name: 'a', model: scriptedModel(...turns, 'Done.'), tools: { fill } })
  await setQuota(1_000_000)
  const run = described.start('Go', { journal: indexedDbJournal({ name }), id: 'r' })
  const full = await run.settled
  const file = await exportRun(run)
  await setQuota()

  run.resume()

  expect(full).toMatchObject({ type: 'failed', error: { code: 'journal_full', retryable: true } })
  expect(file.events.at(-1)).toMatchObject({ type: 'settled', signal: { type: 'failed' } })
  expect(await importRun(file, { journal: memoryJournal() })).toBe('r')
  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(await indexedDbJournal({ name }).read('r')).toHaveLength(run.state.seq)
})

/**
 * Sets the quota; without a size, restores it. The browser reads it when the first database is opened, so none is open.
 */
async function setQuota(quotaSize?: number): Promise<void> {
  const session = cdp() as unknown as { send(method: string, parameters: object): Promise<unknown> }
  const { origin } = location
  if (quotaSize) await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' })
  await session.send('Storage.overrideQuotaForOrigin', { origin, ...(quotaSize && { quotaSize }) })
}
