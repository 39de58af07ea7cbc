import { expect, it } from 'vitest'
import { storeFiles } from './storeFiles.ts'

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
