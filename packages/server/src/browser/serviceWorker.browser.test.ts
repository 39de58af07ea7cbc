import { remoteAgent, remoteJournal } from '@interleave/connect/http'
import { expect, it, onTestFinished } from 'vitest'
import workerUrl from './runs.sw.ts?worker&url'

/** A page in the scope of a service worker, which answers what it asks for. */
async function openFrame() {
  const scope = new URL('./', new URL(workerUrl, location.href)).pathname
  const registration = await navigator.serviceWorker.register(workerUrl, { type: 'module', scope })
  const worker = registration.installing ?? registration.waiting ?? registration.active
  await new Promise<void>((resolve) => {
    const look = () => worker?.state === 'activated' && resolve()
    worker?.addEventListener('statechange', look)
    look()
  })
  const frame = document.createElement('iframe')
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve))
  frame.src = `${scope}nothing.html`
  document.body.append(frame)
  await loaded
  onTestFinished(async () => {
    frame.remove()
    await registration.unregister()
  })
  return {
    url: `${scope}api`,
    fetch: (address: string, init: RequestInit) => (frame.contentWindow ?? window).fetch(address, init),
  }
}

it('serves runs from a service worker', async () => {
  const server = await openFrame()

  const run = remoteAgent({ ...server, name: 'asker' }).start('confirm')
  const signal = await run.settled
  if (signal.type === 'inputNeeded') await run.reply(signal.asks[0].id, true)

  expect(await run.settled).toMatchObject({ output: expect.stringContaining('true') })
  await remoteJournal(server).delete(run.id)
  run.close()
})
