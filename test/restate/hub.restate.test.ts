import { hubHandler, type LiveBatch, liveHub, postLive } from '@interleave/restate'
import { listen } from '@interleave/test-kit/listen'
import { afterEach, expect, it } from 'vitest'
import { fetchServer } from './fetchServer.ts'

const secret = 'a secret of at least 32 bytes, for tests'
const open: Page[] = []
afterEach(() => open.splice(0).map((page) => page.close()))

interface Page {
  readonly url: string
  readonly text: string
  close(): Promise<unknown>
}

/** A server that shows a run, as far as a hub told it. */
async function openPage(port = 0): Promise<Page> {
  const hub = liveHub()
  let text = ''
  hub.subscribe('a', (told) => {
    for (const event of 'events' in told ? told.events : []) {
      if (event.type === 'thinking') text = ''
      if (event.type === 'delta') text += event.delta
    }
  })
  const { url, close } = await listen(fetchServer(hubHandler(hub, { secret })), port)
  const page = {
    url: `${url}/hub`,
    get text() {
      return text
    },
    close,
  }
  open.push(page)
  return page
}

const thinking: LiveBatch = { after: 2, iteration: 0, events: [{ type: 'thinking', iteration: 1 }] }
const word = (delta: string): LiveBatch => ({ ...thinking, events: [{ type: 'delta', kind: 'text', delta }] })

it('carries the words of a run to several servers, one of which goes and comes back', async () => {
  const [lasting, first] = await Promise.all([openPage(), openPage()])
  const faults: string[] = []
  const onFault = ({ message }: Error) => void faults.push(message)
  const tell = postLive({ url: [lasting.url, first.url], secret, onFault })

  tell('a', thinking)
  for (const each of ['It ', 'is ', 'open']) tell('a', word(each))
  await expect.poll(() => [lasting.text, first.text]).toEqual(['It is open', 'It is open'])
  await first.close()
  tell('a', word(' on'))
  await expect.poll(() => [lasting.text, faults.length > 0]).toEqual(['It is open on', true])
  const back = await openPage(Number(new URL(first.url).port))
  tell('a', word(' Monday.'))
  await expect.poll(() => lasting.text).toBe('It is open on Monday.')
  tell('a', thinking)
  tell('a', word('And '))
  tell('a', word('Tuesday.'))

  await expect.poll(() => [lasting.text, back.text]).toEqual(['And Tuesday.', 'And Tuesday.'])
  expect(faults.every((fault) => /cannot be reached/.test(fault))).toBe(true)
})

it('takes nothing from who has another secret', async () => {
  const page = await openPage()
  const faults: string[] = []
  const tell = postLive({ url: page.url, secret: `${secret}!`, onFault: ({ message }) => void faults.push(message) })

  tell('a', thinking)
  tell('a', word('Hello'))

  await expect.poll(() => faults[0]).toContain('answers 401: This is not the secret of the hub.')
  expect(page.text).toBe('')
})
