import { memoryJournal } from '@interleave/core/journal'
import { nodeListener } from '@interleave/server/node'
import { listen } from '@interleave/test-kit/listen'
import { build } from 'esbuild'
import { type Browser, chromium } from 'playwright'
import { afterAll, expect, it } from 'vitest'
import { fetchTool } from '../../../../scripts/fetch-tool.mjs'
import { chromiumArgs, findChromium } from '../../../../scripts/find-chromium.mjs'
import { agUiHandler } from '../handler/agUiHandler.ts'
import { booking, everyQuestion, payloads } from '../testing/everyQuestion.ts'

const version = '1.74.0'

/** CopilotKit's own chat, with a dialog that answers each interrupt with what the test gives. */
const page = `
import { HttpAgent } from '@ag-ui/client'
import { CopilotChat, CopilotKitProvider, useInterrupt } from '@copilotkit/react-core/v2'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

const agent = new HttpAgent({ url: '/agents/guide' })

function Chat() {
  useInterrupt({
    agentId: 'guide',
    render: ({ interrupt, resolve }) =>
      createElement('button', {
        id: 'answer',
        title: interrupt.reason + ': ' + interrupt.message,
        onClick: () => resolve(JSON.parse(window.payload)),
      }, interrupt.message),
  })
  return createElement(CopilotChat, { agentId: 'guide' })
}
createRoot(document.getElementById('root')).render(
  createElement(CopilotKitProvider, { selfManagedAgents: { guide: agent } }, createElement(Chat)),
)`

/** Installs CopilotKit when it is first needed. The lockfile does not have it: it is 500 MB. */
async function bundled(): Promise<string> {
  const packages = [`@copilotkit/react-core@${version}`, 'react@19.3.1', 'react-dom@19.3.1']
  const resolveDir = await fetchTool(`copilotkit-${version}`, packages)
  const { outputFiles } = await build({
    stdin: { contents: page, resolveDir, loader: 'js' },
    ...{ bundle: true, write: false, format: 'esm', platform: 'browser', logLevel: 'error' },
    loader: { '.css': 'empty', '.woff': 'empty', '.woff2': 'empty', '.ttf': 'empty' },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return outputFiles[0]?.text ?? ''
}

let browser: Browser | undefined
afterAll(() => browser?.close())

it('lets the chat of CopilotKit ask every question of a run, and shows the answer', { timeout: 600_000 }, async () => {
  const booked: unknown[] = []
  const script = await bundled()
  const handle = agUiHandler({ agents: [everyQuestion(booked)], journal: memoryJournal(), authorize: () => 'ada' })
  const html = '<!doctype html><div id="root"></div><script type="module" src="/page.js"></script>'
  const listener = nodeListener(async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/') return new Response(html, { headers: { 'content-type': 'text/html' } })
    if (pathname === '/page.js') return new Response(script, { headers: { 'content-type': 'text/javascript' } })
    return handle(request)
  })
  const server = await listen(listener)
  const executablePath = findChromium()
  browser = await chromium.launch({ args: chromiumArgs, ...(executablePath && { executablePath }) })
  const tab = await browser.newPage()
  await tab.goto(server.url)

  await tab.getByRole('textbox').fill('A table')
  await tab.keyboard.press('Enter')
  const prompts: string[] = []
  for (const payload of payloads) {
    await tab.evaluate((given) => Object.assign(window, { payload: given }), JSON.stringify(payload))
    const button = tab.locator('#answer')
    await expect.poll(async () => prompts.includes((await button.textContent()) ?? '')).toBe(false)
    prompts.push((await button.textContent()) ?? '')
    await button.click()
  }
  await tab.getByText('See you.').waitFor()
  await server.close()

  expect(prompts).toEqual([
    ...['Allow book?\n\nbook {"people":2}', 'When?', 'Extras?', 'A word?', 'Who?'],
    ...['Pay\n\nhttps://pay.example/x', 'Sure?'],
  ])
  expect(booked).toEqual([booking])
  expect(await tab.getByText('I book.').count()).toBe(1)
})
