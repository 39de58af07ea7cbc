import { expect, it } from 'vitest'
import { answerPage } from './answerPage.ts'

const request = new Request('https://page.example/')
const kept = async (): Promise<Response | undefined> => new Response('kept')

/** A response as a service worker gets it for a navigation: its status and its target are hidden. */
const opaqueRedirect = Object.defineProperties(new Response(null), {
  type: { value: 'opaqueredirect' },
  status: { value: 0 },
  ok: { value: false },
})

it.each([
  ['the page', new Response('new')],
  ['a redirect to a sign-in', opaqueRedirect],
  ['a refusal', new Response('Sign in', { status: 401 })],
  ['an error of the server', new Response('Down', { status: 503 })],
])('passes on %s', async (_, response) => {
  expect(await answerPage(request, { fetch: async () => response, kept })).toBe(response)
})

it('shows the kept page if the network fails', async () => {
  const fetch = async () => Promise.reject(new TypeError('Failed to fetch'))

  expect(await (await answerPage(request, { fetch, kept })).text()).toBe('kept')
})

it('says what the network says if no page is kept', async () => {
  const fetch = async () => Promise.reject(new TypeError('Failed to fetch'))

  await expect(answerPage(request, { fetch, kept: async () => undefined })).rejects.toThrow('Failed to fetch')
})

it('shows the kept page if the network does not answer in time', async () => {
  const fetch = (_: Request, { signal }: RequestInit) =>
    new Promise<Response>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))

  expect(await (await answerPage(request, { fetch, kept, waitMs: 1 })).text()).toBe('kept')
})

it('does not cut off a page that has begun to arrive', async () => {
  let signal: AbortSignal | null | undefined
  const fetch = async (_: Request, init: RequestInit) => {
    signal = init.signal
    return new Response('new')
  }

  await answerPage(request, { fetch, kept, waitMs: 1 })
  // Timers end in the order of their times.
  await new Promise((resolve) => setTimeout(resolve, 50))

  expect(signal?.aborted).toBe(false)
})
