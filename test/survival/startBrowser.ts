import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type BrowserContext, chromium } from 'playwright-core'
import { chromiumArgs, findChromium } from '../../scripts/find-chromium.mjs'

export interface RunningBrowser {
  /** Opens a context whose data is in the browser's folder, and outlives it. */
  connect(): Promise<BrowserContext>
  /** Kills it at once, as a crash would: it writes nothing, and notifies no page. */
  kill(): Promise<void>
}

const args = [
  ...chromiumArgs,
  '--headless',
  '--remote-debugging-port=0',
  '--disable-breakpad',
  '--disable-extensions',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
]

/** A browser that shows this page. Started here and not by Playwright, which gives one with a folder no process to kill. */
export function startBrowser(folder: string, url = 'about:blank'): RunningBrowser {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('No Chromium or Chrome was found; npm test tells how to get one.')
  const line = [...args, `--user-data-dir=${folder}`, url]
  const browser = spawn(executablePath, line, { stdio: ['ignore', 'ignore', 'pipe'] })
  const address = addressOf(browser)
  // Each client that connects receives the error.
  address.catch(() => {})
  return {
    async connect() {
      const [context] = (await chromium.connectOverCDP(await address)).contexts()
      if (!context) throw new Error('The browser has no context.')
      return context
    },
    async kill() {
      if (browser.exitCode !== null || browser.signalCode !== null) return
      browser.kill('SIGKILL')
      await once(browser, 'exit')
    },
  }
}

/** Returns its address, which it prints as a line. */
function addressOf({ stderr }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let told = ''
    stderr?.on('data', (chunk) => {
      told += chunk
      const [, address] = /DevTools listening on (ws:\S+)/.exec(told) ?? []
      if (address) resolve(address)
    })
    stderr?.on('end', () => reject(new Error(`The browser did not start: ${told}`)))
  })
}
