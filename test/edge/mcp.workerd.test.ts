import { type RemoteRun, remoteAgent } from '@interleave/connect/http'
import { untilSettled } from '@interleave/test-kit/untilSettled'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Shop, serveShop } from '../../packages/mcp/src/testing/shopServer.ts'
import { bundleWorker } from './bundleWorker.ts'
import { startWorkerd, type Workerd } from './startWorkerd.ts'

let workerd: Workerd
let shop: Shop

beforeAll(async () => {
  shop = await serveShop()
  workerd = await startWorkerd({
    code: await bundleWorker('mcpWorker.ts'),
    objects: { RUNS: 'RunObject', USERS: 'UserObject' },
    texts: { SHOP: shop.url },
  })
})
afterAll(async () => {
  await workerd?.end()
  await shop?.close()
})

async function answer(run: RemoteRun, prompt: string, name: string): Promise<void> {
  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
  const [ask] = run.state.asks
  expect(ask?.prompt).toContain(prompt)
  await run.reply(ask?.id ?? '', { name })
}

it('pays once at an MCP server, although the process dies between its questions and another device answers', async () => {
  const phone = remoteAgent({ url: workerd.url, name: 'buyer' })
  const laptop = remoteAgent({ url: workerd.url, name: 'buyer' })
  const run = phone.start('Pay.')
  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
  await workerd.killAndStart()

  const other = await laptop.resume(run.id)
  await answer(other, 'Who pays?', 'Ada')
  await answer(other, 'Which address?', 'Rome')

  expect(await other.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  await untilSettled(run, 'answer')
  expect(shop.world.paid).toEqual(['op1'])
  run.close()
  other.close()
})
