import { agent, approval, localHost, type Run, reasonAct, tool } from '@interleave/core'
import { keyValuePermissionStore, type PermissionStore } from '@interleave/core/journal'
import { rememberPermissions } from '@interleave/core/steps'
import { nodeListener } from '@interleave/server/node'
import { call, openHandler } from '@interleave/test-kit/handlerCalls'
import { closeServers, listen } from '@interleave/test-kit/listen'
import { scriptedModel } from '@interleave/testing'
import { afterAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { remoteAgent, remotePermissionStore } from './index.ts'

afterAll(closeServers)

/** A host that pauses briefly, and whose requests have the time that they have otherwise. */
const timer = (ms: number, done: () => void) => localHost.timer(ms < 10_000 ? Math.min(ms, 5) : ms, done)
const short = { ...localHost, timer }
const userOf = (runId: string): string => decodeURIComponent(runId.split('/')[0] ?? '')

/** A server on a real socket whose users allow for good, and a client of it for each user. */
async function openHouse() {
  const values = new Map<string, string>()
  const permissionStore = (user: string): PermissionStore => keyValuePermissionStore(values, { user })
  const lamp = tool({ inputSchema: z.object({ on: z.boolean() }), approve: approval(), execute: () => 'Done.' })
  const turn = { calls: [{ name: 'lamp', input: { on: true } }] }
  const house = agent({
    name: 'house',
    model: scriptedModel(...Array.from({ length: 4 }, () => [turn, 'Light.']).flat()),
    tools: { lamp },
    backend: rememberPermissions(reasonAct(), { store: ({ runId }) => permissionStore(userOf(runId)) }),
  })
  const handler = openHandler([house], { permissionStore })
  const { url } = await listen(nodeListener(handler))
  const by = (user: string) => {
    const server = { url, headers: { authorization: user } }
    return {
      store: remotePermissionStore({ ...server, host: short }),
      start: () => remoteAgent({ ...server, name: 'house' }).start('Light, please'),
    }
  }
  return { by, handler, permissionStore }
}

async function allow(run: Run): Promise<void> {
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', { approved: true, remember: 'tool', persistent: true })
  expect(await run.settled).toMatchObject({ type: 'answer' })
}

it('lists what a user allowed for good on a server, and takes it back there', async () => {
  const { by } = await openHouse()
  const ada = by('ada lovelace')
  const first = ada.start()
  await allow(first)

  const listed = await ada.store.list('house')
  expect(listed).toMatchObject([{ id: `${first.id}/1/tool/0/approval`, scope: 'tool', ask: { tool: 'lamp' } }])
  expect(JSON.stringify(listed)).not.toContain('lovelace')
  const second = ada.start()
  expect(await second.settled).toMatchObject({ type: 'answer' })
  // The log names the permission as the list does.
  expect(second.log.find(({ type }) => type === 'permitted')).toMatchObject({ by: listed[0]?.id })

  await ada.store.remove('house', listed[0]?.id ?? '')

  expect(await ada.store.list('house')).toEqual([])
  expect(await ada.start().settled).toMatchObject({ type: 'inputNeeded' })
})

it('shows no user the permissions of another, nor takes them back', async () => {
  const { by, permissionStore } = await openHouse()
  const ada = by('ada')
  await allow(ada.start())
  const [stored] = await permissionStore('ada').list('house')
  const [listed] = await ada.store.list('house')

  for (const other of ['eve', 'ada/', 'ad']) {
    const { store } = by(other)
    expect(await store.list('house')).toEqual([])
    for (const id of [stored?.id ?? '', listed?.id ?? '']) await store.remove('house', id)
  }

  expect(await ada.store.list('house')).toHaveLength(1)
})

it('notices what another page of the user allows and takes back', async () => {
  const { by } = await openHouse()
  const [here, there] = [by('ada'), by('ada')]
  const seen: number[] = []
  const leave = here.store.watch?.(async () => seen.push((await here.store.list('house')).length))
  await expect.poll(() => seen.at(-1)).toBe(0)

  await allow(there.start())
  await expect.poll(() => seen.at(-1)).toBe(1)
  const [listed] = await there.store.list('house')
  await there.store.remove('house', listed?.id ?? '')

  await expect.poll(() => seen.at(-1)).toBe(0)
  leave?.()
})

it('adds nothing from a page', async () => {
  const { by } = await openHouse()
  const { store } = by('ada')
  await allow(by('ada').start())
  const [listed] = await store.list('house')
  if (!listed) throw new Error('Nothing is allowed.')
  await expect(store.add('house', listed)).rejects.toMatchObject({ code: 'not_allowed' })
})

it.each([
  ['permissions', 400, 'Give "agent"'],
  [`permissions?agent=${'a'.repeat(201)}`, 400, 'Give "agent"'],
])('refuses a request for %.20s that names no agent', async (path, status, detail) => {
  const { handler } = await openHouse()
  const response = await call(handler, path)
  expect(response.status).toBe(status)
  expect((await response.json()).detail).toContain(detail)
})

it('refuses to take back what has no id, or an endless one', async () => {
  const { handler } = await openHouse()
  for (const id of ['', 'i'.repeat(2_001)]) {
    const response = await call(handler, `permissions?agent=house&id=${id}`, { method: 'DELETE' })
    expect(await response.json()).toMatchObject({ status: 400, code: 'request_invalid' })
  }
})

it('says that the server has no store', async () => {
  const handler = openHandler([agent({ name: 'a', model: scriptedModel() })])
  const fetch = (url: string, init: RequestInit) => handler(new Request(url, init))
  const store = remotePermissionStore({ url: 'https://edge.test', headers: { authorization: 'ada' }, fetch })
  await expect(store.list('a')).rejects.toThrow('Give its createHandler() the option `permissionStore`')
})

it('asks again while the store fails, and tells nothing of its failure', async () => {
  let failures = 3
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const permissionStore = (user: string): PermissionStore => {
    const inner = keyValuePermissionStore(new Map(), { user })
    const list = async (name: string) => {
      if (failures-- > 0) throw new Error('the password of the database')
      return inner.list(name)
    }
    return { ...inner, list }
  }
  const handler = openHandler([agent({ name: 'a', model: scriptedModel() })], { permissionStore })
  const texts: string[] = []
  const fetch = async (url: string, init: RequestInit) => {
    const response = await handler(new Request(url, init))
    texts.push(await response.clone().text())
    return response
  }
  const options = { url: 'https://edge.test', headers: { authorization: 'ada' }, fetch, host: short }

  expect(await remotePermissionStore(options).list('a')).toEqual([])

  expect(texts).toHaveLength(4)
  expect(texts.slice(0, 3).map((text) => JSON.parse(text).status)).toEqual([503, 503, 503])
  expect(texts.join()).not.toContain('password')
  expect(logged).toHaveBeenCalledTimes(3)
  logged.mockRestore()
})
