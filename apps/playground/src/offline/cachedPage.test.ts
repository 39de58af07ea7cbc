import { expect, it } from 'vitest'
import { answerPage, olderCaches, storeFiles, wayOf } from './cachedPage.ts'

const page = new Request('https://page.example/')
const html = () => new Response('<p>', { headers: { 'content-type': 'text/html; charset=utf-8' } })
const script = () => new Response('1', { headers: { 'content-type': 'text/javascript' } })
const redirected = (response: Response) => Object.defineProperty(response, 'redirected', { value: true })

async function storedOf(answers: { readonly page: Response; readonly file: Response }): Promise<readonly string[]> {
  const stored: string[] = []
  const put = async (request: RequestInfo | URL) => void stored.push(new Request(request).url)
  const fetch = async ({ url }: Request) => (url === page.url ? answers.page : answers.file)
  await storeFiles({ put }, { page, files: ['https://page.example/assets/a.js'], fetch }).catch(() => undefined)
  return stored
}

it('stores the page and its files', async () => {
  expect(await storedOf({ page: html(), file: script() })).toEqual([page.url, 'https://page.example/assets/a.js'])
})

it('reads each file as it comes, since a browser has few connections to a server', async () => {
  const free = { connections: 1, next: [] as (() => void)[] }
  const fetch = async ({ url }: Request): Promise<Response> => {
    while (free.connections === 0) await new Promise<void>((resolve) => free.next.push(resolve))
    free.connections--
    const end = () => {
      free.connections++
      for (const go of free.next.splice(0)) go()
    }
    const { headers, body } = url === page.url ? html() : script()
    return new Response(body?.pipeThrough(new TransformStream({ flush: end }, undefined, { highWaterMark: 0 })), {
      headers,
    })
  }
  const stored: string[] = []
  const put = async (request: RequestInfo | URL) => void stored.push(new Request(request).url)
  const files = ['a.js', 'b.js', 'c.js'].map((name) => `https://page.example/assets/${name}`)

  await storeFiles({ put }, { page, files, fetch })

  expect(stored).toEqual([page.url, ...files])
})

it.each([
  ['a sign-in in place of a file', { page: html(), file: redirected(html()) }],
  ['a sign-in in place of the page', { page: redirected(html()), file: script() }],
  ['the page in place of a file that is not there yet', { page: html(), file: html() }],
  ['a file that is gone', { page: html(), file: new Response('', { status: 404 }) }],
])('stores nothing of %s', async (_, answers) => {
  expect(await storedOf(answers)).toEqual([])
})

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

const scope = 'http://127.0.0.1:4173/'
const precached = { scope, files: new Set([`${scope}assets/index-1.js`]) }
const way = (path: string, { method = 'GET', mode = 'cors' as RequestMode } = {}) =>
  wayOf({ url: new URL(path, scope).href, method, mode }, precached)

it('looks after the page and its files', () => {
  expect(way('/', { mode: 'navigate' })).toBe('page')
  expect(way('/#/runs/1', { mode: 'navigate' })).toBe('page')
  expect(way('/?from=home-screen', { mode: 'navigate' })).toBe('page')
  expect(way('/assets/index-1.js')).toBe('file')
  expect(way('/assets/index-of-an-older-version.js')).toBe('file')
})

it.each<[string, { method?: string; mode?: RequestMode }?]>([
  ['/llm/models'],
  ['/llm/chat/completions', { method: 'POST' }],
  ['https://api.openai.com/v1/models'],
  ['https://elsewhere.example/assets/index-1.js'],
  ['/llm', { mode: 'navigate' }],
  ['https://elsewhere.example/', { mode: 'navigate' }],
])('leaves %s alone', (path, request) => {
  expect(way(path, request)).toBeUndefined()
})

const versions = { names: ['playground 1', 'playground 2', 'models'], prefix: 'playground ', own: 'playground 2' }

it('keeps the files of an older version while one of its windows is open', () => {
  expect(olderCaches({ ...versions, open: ['new', 'old'], opened: new Set(['new']) })).toEqual([])
})

it('lets go of them when every window is of this version, and of nothing else', () => {
  const opened = new Set(['new', 'closed'])

  expect(olderCaches({ ...versions, open: ['new'], opened })).toEqual(['playground 1'])
  expect(olderCaches({ ...versions, open: [], opened: new Set() })).toEqual(['playground 1'])
})
