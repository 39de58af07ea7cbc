import { agent } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { clientTool, workerAgent, workerHost } from './index.ts'

afterEach(() => void vi.unstubAllGlobals())

/** A worker that hears a page only some time after the page has spoken. */
function slowWorker(...agents: Parameters<typeof workerHost>[0]) {
  const outer = new EventTarget()
  workerHost(agents).connect(outer)
  return Object.assign(new EventTarget(), {
    postMessage(data: unknown, [page]: readonly MessagePort[]) {
      const { port1, port2 } = new MessageChannel()
      if (page) page.onmessage = ({ data }) => setTimeout(() => port1.postMessage(data), 150)
      port1.onmessage = ({ data }) => page?.postMessage(data)
      outer.dispatchEvent(new MessageEvent('message', { data, ports: [port2] }))
    },
  })
}

it('takes the last word of a page whose lock is free before it arrives', async () => {
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  const model = scriptedModel({ calls: [{ name: 'pay', input: {} }] }, 'Done.')
  const guide = agent({
    name: 'a',
    model,
    tools: { pay: clientTool({ inputSchema: z.object({}), effect: 'atMostOnce' }) },
  })
  const worker = slowWorker(guide)
  const pay = (): string => {
    // As a tool does that closes its page: this frees the lock at once.
    setTimeout(() => page.dispatchEvent(new Event('pagehide')))
    return 'paid'
  }
  const { id } = workerAgent(worker, 'a', { tools: { pay } }).start('Go')
  vi.unstubAllGlobals()
  const run = await workerAgent(worker, 'a').resume(id)

  await expect.poll(() => run.state.signal).toMatchObject({ type: 'answer' })
  expect(JSON.stringify(run.state.history)).toContain('paid')
})
