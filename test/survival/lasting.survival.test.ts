import { json } from 'node:stream/consumers'
import { listen } from '@interleave/test-kit/listen'
import { expect, onTestFinished, test } from 'vitest'
import { bundlePage } from './bundlePage.ts'
import { useShop } from './useShop.ts'

const equipped = useShop()

/** A page whose only tab reloads itself while its shared worker is in a call, and what the world heard of it. */
async function reloadOnce(lifetime: 'lasting' | 'usual') {
  const files = await bundlePage()
  const calls: { readonly instance: unknown; readonly key: unknown }[] = []
  const [called, back, ended] = [happening(), happening(), happening<unknown>()]
  const { url, close } = await listen(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    const file = files.get(pathname)
    if (file) response.setHeader('content-type', pathname.endsWith('.js') ? 'text/javascript' : 'text/html')
    if (request.method !== 'POST') return response.end(file)
    const body = await json(request)
    if (pathname === '/called') await called.happened
    if (pathname === '/back') back.resolve()
    if (pathname === '/end') ended.resolve(body)
    if (pathname === '/wait') {
      calls.push({ instance: body, key: request.headers['idempotency-key'] })
      called.resolve()
      await back.happened
    }
    response.end('null')
  })
  onTestFinished(close)
  const browser = equipped().start(`${url}/lasting?${lifetime}`, lifetime === 'lasting' ? 1 : 2)
  onTestFinished(() => browser.kill())
  return { end: await ended.happened, calls }
}

function happening<T = void>() {
  let resolve: (value: T) => void = () => {}
  const happened = new Promise<T>((done) => {
    resolve = done
  })
  return { happened, resolve }
}

test('a reload of the last tab leaves a shared worker alone that may outlive it: no call is repeated', async () => {
  const { end, calls } = await reloadOnce('lasting')

  expect(end).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(calls).toHaveLength(1)
})

test('a reload of the last tab ends any other shared worker, and the journal brings its run back', async () => {
  const { end, calls } = await reloadOnce('usual')

  expect(end).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(new Set(calls.map(({ instance }) => instance)).size).toBe(2)
  expect(new Set(calls.map(({ key }) => key)).size).toBe(1)
})
