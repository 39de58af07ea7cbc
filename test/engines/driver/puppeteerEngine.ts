import puppeteer, { type KeyInput, type Page } from 'puppeteer-core'
import { chromiumArgs, findChromium } from '../../../scripts/find-chromium.mjs'
import { findFirefox } from '../../../scripts/find-engines.mjs'
import type { Engine, EngineOptions, PageProtocol } from './Engine.ts'
import { openPage } from './openPage.ts'

/** Nobody is there to answer the prompt of `navigator.storage.persist()`. */
const answeredPrompt = {
  'dom.storageManager.prompt.testing': true,
  'dom.storageManager.prompt.testing.allow': false,
}

const start = {
  chromium: () =>
    puppeteer.launch({
      browser: 'chrome',
      executablePath: findChromium() ?? '',
      args: [...chromiumArgs, '--window-size=1280,1000'],
      // As users have it: what Puppeteer switches off for its own ease.
      ignoreDefaultArgs: ['--disable-back-forward-cache', '--disable-features=Translate,AcceptCHFrame,MediaRouter'],
      defaultViewport: null,
    }),
  firefox: ({ preferences = {} }: EngineOptions) =>
    puppeteer.launch({
      browser: 'firefox',
      executablePath: findFirefox() ?? '',
      args: ['--width=1280', '--height=1000'],
      extraPrefsFirefox: { ...answeredPrompt, ...preferences },
      defaultViewport: null,
    }),
}

/** Opens Chromium by its own protocol, or Firefox by WebDriver BiDi. */
export async function puppeteerEngine(name: 'chromium' | 'firefox', options: EngineOptions): Promise<Engine> {
  const browser = await start[name](options)
  const pid = browser.process()?.pid ?? 0
  return {
    name,
    version: await browser.version(),
    pid,
    async open(url) {
      // Never the first tab, to which headless Firefox gives no focus.
      const page = await browser.newPage()
      const opened = openPage(protocolOf(page, problemsOf(page)), pid)
      await opened.goto(url)
      await opened.front()
      return opened
    },
    close: () => browser.close(),
  }
}

function problemsOf(page: Page): readonly string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error instanceof Error ? error.message : String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') problems.push(message.text())
  })
  return problems
}

function protocolOf(page: Page, problems: readonly string[]): PageProtocol {
  return {
    goto: async (url) => void (await page.goto(url, { waitUntil: 'load' })),
    evaluate: <A extends readonly unknown[], R>(action: (...args: A) => R, ...args: A) =>
      page.evaluate(action as never, ...([...args] as never[])) as Promise<Awaited<R>>,
    problems: async () => problems,
    clickAt: ({ x, y }) => page.mouse.click(x, y),
    keyDown: (key) => (isOnKeyboard(key) ? page.keyboard.down(key as KeyInput) : page.keyboard.sendCharacter(key)),
    keyUp: async (key) => void (isOnKeyboard(key) && (await page.keyboard.up(key as KeyInput))),
    reload: () => page.evaluate(() => location.reload()),
    // Puppeteer would wait for a load, which a page from the cache does not have.
    back: () => page.evaluate(() => history.back()),
    forward: () => page.evaluate(() => history.forward()),
    front: () => page.bringToFront(),
    screenshot: async (file) => void (await page.screenshot({ path: file as `${string}.png` })),
    close: () => page.close(),
  }
}

/** An American one. */
const isOnKeyboard = (key: string): boolean => key.length > 1 || /[ -~]/.test(key)
