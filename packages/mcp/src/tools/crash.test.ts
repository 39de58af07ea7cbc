import type { Run } from '@interleave/core'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { expect, it } from 'vitest'
import { mcpClient } from '../client/mcpClient.ts'
import { answerAll, caller, callOf } from '../testing/agents.ts'
import { opened, type ShopOptions, serveLegacyShop, serveShop } from '../testing/shopServer.ts'
import { mcpTools } from './mcpTools.ts'

interface Death {
  /** The call of a tool during which the page goes away. */
  readonly at: number
  readonly when: 'before it leaves' | 'after the server has answered'
}

/** A page with an agent. It dies in the middle of a request: the promise never settles, so nothing more is written. */
async function page(url: string, death?: Death) {
  let calls = 0
  let onDeath = (): void => {}
  const died = new Promise<void>((resolve) => {
    onDeath = resolve
  })
  const fetchUntil = async (to: string, init: RequestInit): Promise<Response> => {
    const isCall = String(init.body).includes('"tools/call"')
    if (!isCall || ++calls !== death?.at) return fetch(to, init)
    if (death.when === 'after the server has answered') await (await fetch(to, init)).text()
    onDeath()
    return new Promise(() => {})
  }
  const tools = mcpTools(mcpClient({ url, fetch: fetchUntil }))
  return { agent: caller(tools, 'pay', { amount: 5 }), died }
}

const who = { 'Who pays': { name: 'Ada' }, 'Which address': { name: 'Home' } }
const asked = ['Who pays?', 'Which address?']
const interrupted = expect.stringContaining('was interrupted')

/** A run that dies, and the same run in a new page, with a new process of the server. */
async function resumed(death: Death, decision: string, options: ShopOptions = {}) {
  const journal = memoryJournal()
  const server = await opened(serveShop(options))
  const first = await page(server.url, death)
  const run = first.agent.start('Go', { journal })
  await Promise.race([first.died, answerAll(run, who)])
  await first.died
  server.restart()
  const again = await (await page(server.url)).agent.resume(run.id, { journal })
  const prompts = await answerAll(again, { ...who, 'was interrupted': decision })
  return { world: server.world, prompts, run: again }
}

const before = 'before it leaves'
const after = 'after the server has answered'
it.each([
  [{ at: 1, when: before }, [interrupted, ...asked], 3, 1],
  [{ at: 1, when: after }, [interrupted, ...asked], 4, 2],
  [{ at: 2, when: before }, [interrupted, 'Which address?'], 3, 1],
  [{ at: 2, when: after }, [interrupted, 'Which address?'], 4, 1],
  [{ at: 3, when: before }, [interrupted], 3, 1],
] as const)(
  'completes one operation after a death at %o, if the call is repeated',
  async (death, prompts, requests, begun) => {
    const { world, prompts: seen, run } = await resumed(death, 'again')

    expect(seen).toEqual(prompts)
    expect(callOf(run)?.output).toBe('Paid 5.')
    expect(world.paid).toHaveLength(1)
    expect(world.of('tools/call')).toHaveLength(requests)
    expect(world.operations).toBe(begun)
  },
)

it.each(['done', 'skip'])('pays once if the user says %s about a payment whose result was lost', async (decision) => {
  const { world, prompts } = await resumed({ at: 3, when: after }, decision)

  expect(prompts).toEqual([interrupted])
  expect(world.paid).toEqual(['op1'])
})

it('repeats a payment only by the will of the user, with the same operation for the server to know it by', async () => {
  const { world } = await resumed({ at: 3, when: after }, 'again')

  expect(world.paid).toEqual(['op1', 'op1'])
})

const restarts = [false, true]
const cases = restarts.flatMap((isRebuilt) =>
  [false, true].flatMap((freshKeys) => ([1, 2] as const).map((rounds) => ({ isRebuilt, freshKeys, rounds }))),
)
it.each(cases)('completes one operation when it is resumed at each question: %o', async ({ isRebuilt, ...options }) => {
  const journal = memoryJournal()
  const server = await opened(serveShop(options))
  const { world } = server
  let run: Run = (await page(server.url)).agent.start('Go', { journal })
  const reload = async (): Promise<void> => {
    if (isRebuilt) server.restart()
    run = await (await page(server.url)).agent.resume(run.id, { journal })
  }
  for (const prompt of asked.slice(0, options.rounds)) {
    await run.settled
    await reload()
    await run.settled
    expect(run.state.asks).toMatchObject([{ prompt }])
    await run.reply(run.state.asks[0]?.id ?? '', { name: 'Ada' })
  }
  await run.settled

  expect(callOf(run)?.output).toBe('Paid 5.')
  expect(world).toMatchObject({ paid: ['op1'], operations: 1 })
  expect(world.of('tools/call')).toHaveLength(options.rounds + 1)
})

it('leaves the second call to the user when the call of a server of 2025 has ended with its page', async () => {
  const server = await opened(serveLegacyShop())
  const journal: Journal = memoryJournal()
  const first = (await page(server.url)).agent.start('Go', { journal })
  await first.settled
  const run = await (await page(server.url)).agent.resume(first.id, { journal })
  await expect.poll(() => run.state.asks.map(({ prompt }) => prompt)).toEqual(['Who pays?', interrupted])
  const prompts = await answerAll(run, { ...who, 'was interrupted': 'again' })

  expect(prompts).toEqual(['Who pays?', interrupted, 'Which address?'])
  expect(callOf(run)?.output).toBe('Paid 5.')
  expect(server.world.paid).toHaveLength(1)
})

const lost = Object.assign(new TypeError('fetch failed'), { cause: { code: 'UND_ERR_SOCKET' } })
const json = { headers: { 'content-type': 'application/json' } }
it.each<[string, () => Response]>([
  ['ends', () => new Response(': \n\n', { headers: { 'content-type': 'text/event-stream' } })],
  [
    'is lost',
    () => {
      throw lost
    },
  ],
  ['times out at a proxy', () => new Response('<h1>Gateway Timeout</h1>', { status: 504 })],
  ['breaks behind a proxy', () => new Response('Bad Gateway', { status: 502 })],
  ['brings a page', () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })],
  ['brings half a message', () => new Response('{"jsonrpc":"2.0","id"', json)],
])('asks the user about a payment if the connection %s before its answer', async (_, answer) => {
  const { url, world } = await opened(serveShop())
  let calls = 0
  const cutting = async (to: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(to, init)
    const isLast = String(init.body).includes('"tools/call"') && ++calls === 3
    return isLast ? answer() : response
  }
  const run = caller(mcpTools(mcpClient({ url, fetch: cutting })), 'pay', { amount: 5 }).start('Go')

  const prompts = await answerAll(run, { ...who, 'was interrupted': 'done' })

  expect(prompts).toEqual([...asked, interrupted])
  expect(world.paid).toEqual(['op1'])
})

it('lets a call that changes nothing fail if the connection ends before its answer', async () => {
  const { url, world } = await opened(serveShop())
  const cutting = async (to: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(to, init)
    const isCall = String(init.body).includes('"tools/call"')
    return isCall ? new Response('', { headers: { 'content-type': 'text/event-stream' } }) : response
  }
  const tools = mcpTools(mcpClient({ url, fetch: cutting }), { trustHints: true })
  const run = caller(tools, 'add', { a: 1, b: 2 }).start('Go')

  expect(await answerAll(run, {})).toEqual([])
  expect(callOf(run)?.error).toMatchObject({
    code: 'remote_failed',
    message: expect.stringContaining('may have executed'),
  })
  expect(world.of('tools/call')).toHaveLength(1)
})

it.each([500, 503])('lets a payment fail if it is refused with the status %i', async (status) => {
  const { url, world } = await opened(serveShop())
  const refusing = (to: string, init: RequestInit): Promise<Response> =>
    String(init.body).includes('"tools/call"') ? Promise.resolve(new Response('', { status })) : fetch(to, init)
  const run = caller(mcpTools(mcpClient({ url, fetch: refusing })), 'pay', { amount: 5 }).start('Go')

  expect(await answerAll(run, {})).toEqual([])
  expect(callOf(run)?.error).toMatchObject({ code: 'remote_failed' })
  expect(world.paid).toEqual([])
})
