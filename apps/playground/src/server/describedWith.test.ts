import { expect, it } from 'vitest'
import { probeServer } from '../remote/probeServer.ts'
import { createApi } from './createApi.ts'

it.each([
  [{}, []],
  [{ RESTATE_INGRESS: 'http://127.0.0.1:8080' }, ['restate']],
])('tells a page what there is next to it: %o', async (env, others) => {
  const handle = createApi({ runs: ':memory:', ledger: ':memory:', env })
  const fetch = (url: unknown) => handle(new Request(new URL(String(url), 'http://a.test')))

  const state = await probeServer({ url: '/api', fetch })

  expect(state).toEqual({
    type: 'there',
    neighbors: ['server', ...others],
    hasProxy: true,
    canKill: false,
    hasLedger: true,
  })
})
