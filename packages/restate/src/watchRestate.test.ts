import { manualHost } from '@interleave/testing'
import { expect, it } from 'vitest'
import { type RestateAlarm, watchRestate } from './watchRestate.ts'

const row = {
  ...{ id: 'inv_1', target_service_name: 'interleave-work', target_service_key: 'run', target_handler_name: 'work' },
  ...{ status: 'paused', modified_at: '2026-01-01T00:00:00.000Z' },
}
const told = { runId: 'run', call: 'interleave-work/work', failure: 'No memory.' }

/** An admin API that knows these rows, until there are others. */
function watched(rows: readonly unknown[]) {
  const host = manualHost()
  const admin = { rows, isDown: false, hangs: false, asked: [] as string[] }
  const alarms: RestateAlarm[] = []
  const watch = watchRestate({
    ...{ admin: 'http://admin.test/', every: 1_000, host },
    onAlarm: (alarm) => alarms.push(alarm),
    async fetch(url, { body, method }) {
      admin.asked.push(`${method} ${url}`)
      if (admin.hangs) return new Promise<Response>(() => {})
      if (admin.isDown) throw new TypeError('fetch failed')
      if (String(body).includes('sys_journal_events'))
        return Response.json({ rows: [{ id: 'inv_1', why: 'No memory.' }] })
      return url.includes('latest') ? new Response('It is bound to none.', { status: 400 }) : Response.json(admin)
    },
  })
  return { admin, alarms, host, watch }
}

it('tells once of each that is paused, and again when it is so again', async () => {
  const { admin, alarms, host, watch } = watched([row])
  await host.advance(3_000)

  expect(alarms).toEqual([{ type: 'paused', ...told }])
  admin.rows = [{ ...row, modified_at: '2026-01-02T00:00:00.000Z' }]
  await host.advance(3_000)
  expect(alarms).toEqual([
    { type: 'paused', ...told },
    { type: 'paused', ...told },
  ])
  watch.close()
})

it('reports what is retried, and of what becomes of it', async () => {
  const { admin, alarms, host, watch } = watched([])
  const retried = { ...row, status: 'backing-off', retry_count: 20, last_failure: 'No memory.' }
  for (const status of ['running', 'backing-off', 'running', 'backing-off']) {
    admin.rows = [{ ...retried, status }]
    await host.advance(1_000)
  }
  admin.rows = [row]
  await host.advance(2_000)

  expect(alarms).toEqual([
    { type: 'retrying', ...told, attempts: 20 },
    { type: 'paused', ...told },
  ])
  watch.close()
})

it('says that it sees nothing, once, and looks again', async () => {
  const { admin, alarms, host, watch } = watched([])
  admin.isDown = true
  await host.advance(3_000)
  admin.isDown = false
  admin.rows = [{ id: 1 }]
  await host.advance(3_000)
  admin.rows = [row]
  await host.advance(1_000)

  expect(alarms.map(({ type }) => type)).toEqual(['unseen', 'paused'])
  expect(alarms[0]).toMatchObject({ error: { code: 'remote_failed', retryable: true } })
  watch.close()
})

it('says that it sees nothing where it is never answered', async () => {
  const { admin, alarms, host, watch } = watched([])
  admin.hangs = true
  await host.advance(32_000)
  admin.hangs = false
  admin.rows = [row]
  await host.advance(32_000)

  const why = 'The admin API of Restate cannot be reached at http://admin.test: it does not answer within 30 seconds'
  expect(alarms).toMatchObject([{ error: { message: why } }, { type: 'paused' }])
  watch.close()
})

it('lets a run continue also where its call was never taken', async () => {
  const { admin, watch } = watched([row])

  expect(await watch.resume('run')).toBe(1)
  expect(admin.asked.slice(-2)).toEqual([
    'PATCH http://admin.test/invocations/inv_1/resume?deployment=latest',
    'PATCH http://admin.test/invocations/inv_1/resume',
  ])
  watch.close()
})

it('looks no more once it is closed', async () => {
  const { admin, host, watch } = watched([])
  watch.close()
  await host.advance(10_000)

  expect(admin.asked).toEqual(['POST http://admin.test/query'])
})
