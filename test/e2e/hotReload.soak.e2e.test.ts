import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import { createServer, defaultClientConditions, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../processes/freePorts.ts'
import { useContext } from './browser.ts'

const context = useContext()

/** Beside the packages that the page imports; ignored by git. */
const root = path.join(import.meta.dirname, '../../apps/playground/.vite/hot')
const write = (name: string, text: string): void => writeFileSync(path.join(root, name), text)

const page = `<!doctype html><div id="root"></div><script type="module" src="/main.tsx"></script>`
const main = `
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Chat } from './Chat.tsx'
createRoot(document.getElementById('root')!).render(<StrictMode><Chat /></StrictMode>)`
const guide = (name: string) => `
import { agent } from '@interleave/core'
const endless = new ReadableStream({
  async start(to) {
    to.enqueue({ type: 'stream-start', warnings: [] })
    to.enqueue({ type: 'text-start', id: '1' })
    for (;;) {
      to.enqueue({ type: 'text-delta', id: '1', delta: '${name} ' })
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  },
})
const model = { specificationVersion: 'v4', provider: 'x', modelId: 'x', supportedUrls: {}, doStream: async () => ({ stream: endless }) }
export const guide = agent({ name: 'guide', model: model as never })`
const chat = (title: string) => `
import { useMessages, useReAct } from '@interleave/react'
import { guide } from './guide.ts'
export function Chat() {
  const { run, start } = useReAct(guide, { onUnmount: 'stop' })
  const last = useMessages(run).at(-1)
  return <main>
    <h1>${title}</h1>
    <button onClick={() => start('Go')}>Start</button>
    <p title="run">{run?.id}</p>
    <p title="text">{last && 'text' in last ? last.text : ''}</p>
  </main>
}`

let server: ViteDevServer
beforeAll(async () => {
  mkdirSync(root, { recursive: true })
  for (const [name, text] of [
    ['index.html', page],
    ['main.tsx', main],
    ['guide.ts', guide('one')],
    ['Chat.tsx', chat('First')],
  ] as const)
    write(name, text)
  const resolve = { conditions: ['@interleave/source', ...defaultClientConditions] }
  const port = await freePort()
  server = await createServer({
    root,
    configFile: false,
    plugins: [react()],
    resolve,
    logLevel: 'error',
    server: { host: '127.0.0.1', port },
  })
  await server.listen()
})
afterAll(() => server.close())

it('continues with a run that streams when its component or its agent is replaced', async () => {
  const tab = await context().newPage()
  await tab.goto(server.resolvedUrls?.local[0] ?? '')
  await tab.getByRole('button', { name: 'Start' }).click()
  const read = async () => ({
    id: await tab.getByTitle('run').textContent(),
    text: (await tab.getByTitle('text').textContent()) ?? '',
  })
  const grows = (text: string) => expect.poll(async () => (await read()).text.length).toBeGreaterThan(text.length)
  await grows('')
  const before = await read()

  write('Chat.tsx', chat('Second'))
  await tab.getByRole('heading', { name: 'Second' }).waitFor()
  const withComponent = await read()
  await grows(withComponent.text)
  write('guide.ts', guide('two'))
  write('Chat.tsx', chat('Third'))
  await tab.getByRole('heading', { name: 'Third' }).waitFor()
  const withAgent = await read()
  await grows(withAgent.text)

  expect([withComponent.id, withAgent.id, (await read()).id]).toEqual([before.id, before.id, before.id])
  expect(withAgent.text.startsWith(before.text)).toBe(true)
})
