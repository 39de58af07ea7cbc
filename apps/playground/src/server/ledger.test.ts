import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { accessCode } from '../remote/accessCode.ts'
import { serverRuns } from '../remote/serverRuns.ts'
import { createApi } from './createApi.ts'
import { principalOf } from './principalOf.ts'
import { sqliteBank } from './sqliteBank.ts'

it('shows the payments of a run to its user alone', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'interleave-ledger-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const ledger = path.join(folder, 'ledger.sqlite')
  const handle = createApi({ runs: ':memory:', ledger, env: {} })
  const fetch: typeof globalThis.fetch = (url, init) => handle(new Request(new URL(String(url), 'http://a.test'), init))
  const [mine, other] = ['a', 'b'].map((letter) => letter.repeat(43)).map((code) => pageWith(code, fetch))
  const who = await principalOf(new Request('http://a.test', { headers: mine?.headers() ?? {} }))
  const order = { key: 'k', runId: `${who}/r`, what: 'RAIL', amount: 54 }
  await sqliteBank(new DatabaseSync(ledger), { answerMs: 0 }).pay(order, new AbortController().signal)

  expect(await mine?.ledger.paymentsOf('r')).toMatchObject([{ what: 'RAIL', amount: 54, asked: 1 }])
  expect(await mine?.ledger.paymentsOf('s')).toEqual([])
  expect(await other?.ledger.paymentsOf('r')).toEqual([])
  expect((await fetch('/api/v1/ledger/r')).status).toBe(401)
})

function pageWith(code: string, fetch: typeof globalThis.fetch) {
  const storage = { getItem: () => code, setItem: () => {}, removeItem: () => {} }
  return serverRuns({ place: 'server', url: '/api', code: accessCode(() => storage), fetch })
}
