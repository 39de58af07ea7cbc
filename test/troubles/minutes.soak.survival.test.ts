// Troubles that last for long. They only wait, so they are told beside each other.

import { setTimeout as pause } from 'node:timers/promises'
import { type RemoteAgentOptions, remoteAgent } from '@interleave/connect/http'
import { agent, tool } from '@interleave/core'
import { clientTool } from '@interleave/server'
import { nodeListener } from '@interleave/server/node'
import { createShop, type Shop } from '@interleave/test-kit/chaos/createShop'
import { openHandler } from '@interleave/test-kit/handlerCalls'
import { closeServers, listen } from '@interleave/test-kit/listen'
import { scriptedModel } from '@interleave/testing'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, type ExpectStatic, it } from 'vitest'
import { z } from 'zod'
import { chromiumArgs, findChromium } from '../../scripts/find-chromium.mjs'
import { freePort } from '../processes/freePorts.ts'
import { kill } from '../processes/kill.ts'
import { fetchServer } from '../restate/fetchServer.ts'
import { startShopServer } from '../servers/startShopServer.ts'
import { processOf } from '../survival/processOf.ts'
import { openChromiumPage } from './chromiumPage.ts'
import { openOrigin } from './openOrigin.ts'
import { user } from './openWorld.ts'
import { blackHole, clear, type Passage } from './passages.ts'
import { openShopPage, type ShopPage } from './shopPage.ts'
import { startTcpFront, type TcpFront } from './tcpFront.ts'

const sleepMs = Number(process.env.SLEEP_MS ?? 180_000)
/** The limit of a call that must not run twice: longer than it takes to stop a process, and far shorter than it sleeps. */
const giveUpMs = '15000'

let browser: Browser
const closing: (() => unknown)[] = []
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: findChromium() ?? '', args: chromiumArgs })
})
afterAll(async () => {
  for (const close of closing.reverse()) await close()
  await browser.close()
  await closeServers()
})

/** A message after which a run first calls what it must not call twice. */
function messageOf(shop: Shop): string {
  for (let number = 1; ; number++) {
    const message = `Buy it all, by seed ${number}.`
    if (shop.ordersOf(message)[0]?.name === 'book') return message
  }
}

interface Sleeping {
  readonly page: ShopPage
  readonly shop: Shop
  readonly shopTcp: TcpFront
  readonly pid: number
  /** Of the test, since others run beside it. */
  readonly expect: ExpectStatic
}

/** The last byte of an answer comes when the process that waits for it is awake. */
const answersIn =
  (woken: Promise<void>): Passage =>
  async (passing) => {
    const { to, data, write } = passing
    if (to === 'server' || !data?.includes('HTTP/1.1 200')) return clear(passing)
    await write(data.subarray(0, -1))
    await woken
    await write(data.subarray(-1))
    return undefined
  }

/** Stops a process in the middle of a call, whose answer arrives while it sleeps, and lets it continue minutes later. */
async function sleepInCall({ page, shop, shopTcp, pid, expect }: Sleeping): Promise<void> {
  const id = 'sleeps-0000-0123456789'
  const message = messageOf(shop)
  shopTcp.set(blackHole)
  await page.open(id, message)
  const logOf = async () => (await page.show(id))?.log ?? []
  await expect.poll(async () => (await logOf()).some(({ type }) => type === 'claimed'), { interval: 20 }).toBe(true)
  process.kill(pid, 'SIGSTOP')
  let wake = (): void => {}
  const woken = new Promise<void>((resolve) => {
    wake = resolve
  })
  shopTcp.set(answersIn(woken))
  await pause(sleepMs)
  process.kill(pid, 'SIGCONT')
  // It is awake, and its timers are late.
  await pause(100)
  wake()

  const step = async () => {
    for (const event of await logOf())
      if (event.type === 'asked') await page.reply(id, event.ask.id, 'blue').catch(() => {})
    return (await page.show(id))?.signal?.type
  }
  await expect.poll(step, { interval: 200, timeout: 60_000 }).toBe('answer')
  const log = await logOf()
  const [first] = [...shop.ledger.attempts]
  expect(first?.[1]).toBe(1)
  expect(log.flatMap((event) => (event.type === 'asked' && event.ask.about === 'interruption' ? [event] : []))).toEqual(
    [],
  )
}

describe.concurrent('a trouble of minutes', { timeout: sleepMs + 120_000 }, () => {
  it('a server that sleeps for three minutes in a call has its result, and asks no one', async ({ expect }) => {
    const shop = createShop()
    const [shopTcp, modelPort] = await shopOf(shop)
    const port = await freePort()
    const env = {
      ...{ DATABASE: 'memory', SHOP: `http://127.0.0.1:${shopTcp.port}`, MODEL: `http://127.0.0.1:${modelPort}` },
      ...{ PATIENCE_MS: giveUpMs, TAKEOVER_MS: '0', QUIET: 'yes' },
    }
    const server = await startShopServer(port, env)
    closing.push(() => kill(server))
    const options: RemoteAgentOptions = { url: `http://127.0.0.1:${port}`, name: 'shopper', headers: user }

    await sleepInCall({ page: openShopPage(() => remoteAgent(options)), shop, shopTcp, pid: server.pid ?? 0, expect })
  })

  it('a page whose process sleeps for three minutes in a call has its result, and asks no one', async ({ expect }) => {
    const shop = createShop()
    const origin = await openOrigin(shop)
    const shopTcp = await startTcpFront(origin.port)
    closing.push(shopTcp.close)
    const context = await browser.newContext()
    closing.push(() => context.close())
    const address = { transport: 'page', shop: `http://localhost:${shopTcp.port}/shop`, timeout: giveUpMs }
    const page = await openChromiumPage(
      await context.newPage(),
      `http://localhost:${origin.port}/?${new URLSearchParams(address)}`,
    )

    await sleepInCall({ page, shop, shopTcp, pid: await processOf(page.page), expect })
  })

  it('a page whose packets are dropped counts as gone, and another one runs its tool', async ({ expect }) => {
    const inputSchema = z.object({})
    let open = (): void => {}
    const opened = new Promise<string>((resolve) => {
      open = () => resolve('open')
    })
    const tools = {
      gate: tool({ inputSchema, effect: 'readOnly', execute: () => opened }),
      mark: clientTool({ inputSchema, effect: 'idempotent' }),
    }
    const [waiting, marking] = ['gate', 'mark'].map((name) => ({ calls: [{ name, input: {} }] }))
    const model = scriptedModel('Hello.', waiting ?? '', marking ?? '', 'Done.')
    const { port } = await listen(nodeListener(openHandler([agent({ name: 'marker', model, tools })])))
    const marks: string[] = []
    const openPage = async (name: string) => {
      const front = await startTcpFront(port)
      closing.push(front.close)
      const options = { url: `http://127.0.0.1:${front.port}`, name: 'marker', headers: user }
      return { front, agent: remoteAgent({ ...options, tools: { mark: () => marks.push(name) } }) }
    }
    const [first, second] = [await openPage('first'), await openPage('second')]
    const run = first.agent.start('Hello', { id: 'marks-00000-0123456789' })
    await run.settled
    const other = await second.agent.resume(run.id)
    // Whoever has spoken last is asked first.
    await run.say('Mark it.')
    await expect.poll(() => other.log.some(({ type }) => type === 'claimed')).toBe(true)

    first.front.set(blackHole)
    open()
    await expect.poll(() => other.state.signal, { timeout: 60_000 }).toMatchObject({ output: 'Done.' })
    expect(marks).toEqual(['second'])
    first.front.set(clear)

    await expect.poll(() => run.log.length, { timeout: 60_000 }).toBe(other.log.length)
    expect(marks).toEqual(['second'])
    for (const each of [run, other]) each.close()
  })
})

/** Serves a shop behind a front, and its model beside it. */
async function shopOf(shop: Shop): Promise<readonly [TcpFront, number]> {
  const { port } = await listen(fetchServer(shop.fetch))
  const front = await startTcpFront(port)
  closing.push(front.close)
  return [front, port]
}
