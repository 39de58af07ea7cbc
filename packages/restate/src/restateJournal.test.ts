import { manualHost } from '@interleave/testing'
import { expect, it } from 'vitest'
import { restateJournal } from './restateJournal.ts'

/** The invocation of a handler of the log that Restate retries. */
const retried = (handler: string) => ({
  ...{ id: `inv_${handler}`, status: 'backing-off', retry_count: 3, last_failure: 'refused', modified_at: 'now' },
  ...{ target_service_name: 'interleave-log', target_service_key: 'a', target_handler_name: handler },
})

/** The view of a run that is running. */
const held = {
  length: 0,
  pages: [],
  tail: [],
  isHeld: true,
  summary: { runId: 'a', agent: '', updatedAt: 0, events: 0 },
}

it('ends what keeps a run from being deleted, and not the deletion', async () => {
  const host = manualHost()
  const killed: string[] = []
  let remove = (_: Response): void => {}
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const { pathname } = new URL(url)
    if (pathname === '/interleave-log/a/look') return Response.json(held)
    if (pathname === '/interleave-log/a/remove') return new Promise((resolve) => (remove = resolve))
    const isOfRun = String(init.body).includes('sys_invocation')
    if (pathname === '/query') return Response.json({ rows: isOfRun ? [retried('work'), retried('remove')] : [] })
    killed.push(pathname)
    return new Response()
  }
  const journal = restateJournal({ ingress: 'http://ingress.test', admin: 'http://admin.test', host, fetch })
  let isDeleted = false
  void Promise.resolve(journal.delete('a')).then(() => (isDeleted = true))
  await expect.poll(() => host.advance(500).then(() => killed.length)).toBeGreaterThan(1)
  remove(new Response('null'))
  await expect.poll(() => host.advance(500).then(() => isDeleted)).toBe(true)

  expect(new Set(killed)).toEqual(new Set(['/invocations/inv_work/kill']))
})

it('deletes a child run that begins while the deletion waits', async () => {
  const removed: string[] = []
  const child = { runId: 'a/1/tool/0', agent: 'scout', updatedAt: 1, events: 2 }
  const fetch = async (url: string): Promise<Response> => {
    const { pathname } = new URL(url)
    if (pathname.endsWith('/look')) return Response.json({ ...held, isHeld: false })
    if (pathname === '/query')
      return Response.json({ rows: removed.map(() => ({ value_utf8: JSON.stringify(child) })) })
    removed.push(pathname)
    return new Response('null')
  }
  await restateJournal({ ingress: 'http://ingress.test', admin: 'http://admin.test', fetch }).delete('a')

  expect(removed).toEqual(['/interleave-log/a/remove', '/interleave-log/a%2F1%2Ftool%2F0/remove'])
})
