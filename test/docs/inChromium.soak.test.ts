import { failureSentences } from '@interleave/core/observe'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { codeBlocks } from './codeBlocks.ts'
import { moduleNamed, writeModules } from './modules.ts'
import { openPages, type Pages } from './openPages.ts'

const secret = 'a secret of at least 32 bytes, for tests'
const importOf = (name: string): string => `'../${moduleNamed(name).path}'`
const rendered = (app: string): string =>
  `import { createRoot } from 'react-dom/client'\n${app}\ncreateRoot(document.getElementById('root')!).render(<App />)`
/** Shows how a run of the program ends. */
const settled = (name: string, run: string): string =>
  `import { ${run} as run } from ${importOf(name)}\ndocument.body.append(JSON.stringify(await run.settled))`

/** A program of the page about other libraries, with a script in place of its model. */
const asked = (code: string, call: object): string =>
  rendered(
    `${code
      .replace(/^import \{ openai \}.*$/m, "import { scriptedModel } from '@interleave/testing'")
      .replace(
        "openai('gpt-5-mini')",
        `scriptedModel(({ prompt }) => prompt.at(-1)?.role === 'tool' ? 'Your table is booked.' : { calls: [${JSON.stringify(call)}] })`,
      )}\nconst App = () => <Chat id="chat" />`,
  )

/** Changes lines as a diff says. Lines that it only adds come first. */
function patched(code: string, diff: string): string {
  const lines = diff.trim().split('\n')
  return lines.reduce((text, line, index) => {
    if (line.startsWith('-')) return text.replace(line.slice(1), () => (lines[index + 1] ?? '').slice(1))
    return lines[index - 1]?.startsWith('-') ? text : `${line.slice(1)}\n${text}`
  }, code)
}

let pages: Pages

beforeAll(async () => {
  const folder = writeModules('chromium')
  const component = moduleNamed('README.md 3').block.code.replace(/^import .* from '\.\/waiter\.ts'$/m, '')
  // The case that the README warns of: a real model in a page, without a key.
  const keyless = `
    import { openai } from '@ai-sdk/openai'
    import { agent } from '@interleave/core'
    const waiter = agent({ name: 'waiter', model: openai('gpt-5-mini') })
    ${component.replace('export default function', 'function')}`
  const useChat = moduleNamed('docs/coming-from.md 3').block.code
  const [diff = ''] = codeBlocks('docs/coming-from.md', 'diff')
  const call = { name: 'book', input: { people: 4, time: '20:30' } }
  const cards = moduleNamed('docs/react.md 11').block.code.replace(
    `scriptedModel('Hello.')`,
    `scriptedModel({ calls: [{ name: 'bookTable', input: { people: 4 } }] }, 'Done.')`,
  )
  vi.stubEnv('SECRET', secret)
  const server = await import(`${folder}/${moduleNamed('docs/serving.md 1').path}`)
  pages = await openPages({
    folder,
    api: (request) => server.default.fetch(request),
    scripts: {
      demo: rendered(`import App from ${importOf('README.md 3')}`),
      started: rendered(`import App from ${importOf('docs/getting-started.md 4')}`),
      shown: rendered(`import App from ${importOf('docs/react.md 1')}`),
      keyless: rendered(keyless),
      ours: asked(moduleNamed('docs/coming-from.md 1').block.code, { name: 'bookTable', input: { people: 4 } }),
      useChat: asked(useChat, call),
      useChatMoved: asked(patched(useChat, diff), call),
      chat: `import ${importOf('docs/react.md 17')}`,
      cards: rendered(`${cards}
        function App() {
          const { run, say } = useReAct(waiter)
          return <><button onClick={() => say('Go')}>Book</button><Transcript run={run} tools={tools} /></>
        }`),
      german: rendered(`${moduleNamed('docs/react.md 6').block.code}
        import { agent } from '@interleave/core'
        import { SignalOutlet, useReAct } from '@interleave/react'
        import { scriptedModel } from '@interleave/testing'
        const waiter = agent({ name: 'waiter', model: scriptedModel(new Error('No route.')) })
        function Chat() {
          const { run, say } = useReAct(waiter)
          return <><button onClick={() => say('Go')}>Book</button><SignalOutlet run={run} /></>
        }
        const App = () => inGerman(<Chat />)`),
      storage: `import { persisted, quota } from ${importOf('docs/journals.md 2')}\ndocument.body.append(JSON.stringify({ persisted, quota }))`,
      popup: `import ${importOf('docs/mcp.md 5')}`,
      remote: settled('docs/serving.md 2', 'same'),
      worker: settled('docs/workers.md 2', 'same'),
    },
  })
})

afterAll(async () => {
  vi.unstubAllEnvs()
  await pages?.close()
})

const text = async (page: Page): Promise<string> => (await page.locator('body').textContent()) ?? ''

it('tells the developer of the component of the README that the model has no key, and users what they can do', async () => {
  const page = await pages.open('keyless')
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  await page.getByRole('button', { name: 'Book' }).click()

  await expect.poll(() => text(page)).toContain(failureSentences.model_failed)
  expect(said.join()).toMatch(/API key is missing[\s\S]*Give the model an API key/)
  await expect.poll(() => page.getByRole('button', { name: /again|retry/i }).count()).toBe(1)
})

it.each(['demo', 'started'])(
  'books with the component and the demo model of the README and the first page: %s',
  async (name) => {
    const page = await pages.open(name)
    await page.getByRole('button', { name: 'Book' }).click()
    await page.getByRole('dialog').getByText('20:30').click()
    await page.getByRole('dialog').locator('button[type=submit], button:not([type])').first().click()

    await expect.poll(() => text(page)).toContain('Booked for 4 at 20:30. (I am a demo model.)')
  },
)

it('answers in the component that the page about React begins with', async () => {
  const page = await pages.open('shown')
  await page.getByLabel('Message').fill('What is open on Monday?')
  await page.getByRole('button', { name: 'Send' }).click()

  await expect.poll(() => text(page)).toContain('The National Museum is open on Monday.')
})

it('holds a conversation in the chat of one file, and keeps it over a reload', async () => {
  const page = await pages.open('chat')
  await page.getByLabel('Message').fill('What shall I see?')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('Ulm')
  await page.getByRole('dialog').locator('button[type=submit], button:not([type])').first().click()

  await expect.poll(() => text(page)).toContain('Have a look at the river.')
  await page.reload()
  await page.getByRole('button', { name: 'What shall I see?' }).click()
  await expect.poll(() => text(page)).toContain('Have a look at the river.')
})

it('books with the app that the page about other libraries shows', async () => {
  const page = await pages.open('ours')
  await page.getByRole('button', { name: 'Book' }).click()
  await page.getByRole('dialog').getByText('20:30').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reply' }).click()

  await expect.poll(() => text(page)).toContain('Your table is booked.')
})

it.each(['useChat', 'useChatMoved'])(
  'books with the app of useChat, before and after its five lines: %s',
  async (name) => {
    const page = await pages.open(name)
    await page.getByRole('button', { name: 'Book' }).click()
    await page.getByRole('button', { name: 'Yes' }).click()

    await expect.poll(() => text(page)).toContain('Your table is booked.')
  },
)

it('shows the card of a tool that the page about React has', async () => {
  const page = await pages.open('cards')
  await page.getByRole('button', { name: 'Book' }).click()

  await expect.poll(() => text(page)).toContain('Table A7 for 4')
})

it('shows a failure in the words that the page about React gives', async () => {
  const page = await pages.open('german')
  await page.getByRole('button', { name: 'Book' }).click()

  await expect.poll(() => text(page)).toContain('Das Modell antwortet gerade nicht.')
})

it('asks for storage that stays', async () => {
  const page = await pages.open('storage')

  await expect.poll(() => text(page)).toMatch(/"quota":\d+/)
})

it('tells a user at the documented callback page of a popup that no one waits for the answer', async () => {
  const page = await pages.open('popup')

  await expect.poll(() => text(page)).toBe('Please sign in again in the app.')
})

it('follows a run of the documented server from the documented page', async () => {
  expect(moduleNamed('docs/serving.md 1').isProgram).toBe(true)
  const page = await pages.open('remote')

  await expect.poll(() => text(page)).toContain('The National Museum is open on Monday.')
})

it('follows a run of the documented worker from the documented page', async () => {
  expect(moduleNamed('docs/workers.md 1').isProgram).toBe(true)
  const page = await pages.open('worker')

  await expect.poll(() => text(page)).toContain('The National Museum.')
})
