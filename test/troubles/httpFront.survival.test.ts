import { closeServers, listen } from '@interleave/test-kit/listen'
import { afterEach, expect, it } from 'vitest'
import { frontAnswers, type HttpFront, startHttpFront } from './httpFront.ts'

afterEach(closeServers)

/** A server that answers in two parts, of which the second waits. */
async function open(): Promise<{ readonly front: HttpFront; release(): void }> {
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const { port } = await listen(async (request, response) => {
    response.writeHead(200, { 'x-path': request.url ?? '' })
    response.write('one ')
    await released
    response.end('two')
  })
  return { front: await startHttpFront(port), release: () => release() }
}

it('passes an answer as it comes', async () => {
  const { front, release } = await open()
  const response = await fetch(`${front.url}/a`)
  const reader = response.body?.getReader()

  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('one ')
  release()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('two')
  expect(response.headers.get('x-path')).toBe('/a')
})

it('holds an answer back until it is whole', async () => {
  const { front, release } = await open()
  front.buffers = true
  let isThere = false
  const response = fetch(front.url).finally(() => {
    isThere = true
  })
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(isThere).toBe(false)
  release()

  expect(await (await response).text()).toBe('one two')
})

it.each(Object.keys(frontAnswers))('answers in place of the server, and then not any more: %s', async (name) => {
  const { front, release } = await open()
  release()
  front.answer = frontAnswers[name]
  const answered = await fetch(front.url, { method: 'POST', body: 'x' }).then(
    async (response) => `${response.status} ${await response.text()}`,
    () => 'failed',
  )
  front.answer = undefined

  expect(answered).not.toContain('two')
  if (Number(name)) expect(answered).toMatch(new RegExp(`^${name} `))
  expect(await (await fetch(front.url)).text()).toBe('one two')
})

it('answers with a bad gateway where the server is gone', async () => {
  const { port, close } = await listen(() => {})
  await close()

  expect((await fetch((await startHttpFront(port)).url)).status).toBe(502)
})
