import { writeFile } from 'node:fs/promises'
import { findWebKit } from '../../../scripts/find-engines.mjs'
import { freePort } from '../../processes/freePorts.ts'
import type { Engine, EnginePage, PageProtocol } from './Engine.ts'
import { openPage } from './openPage.ts'
import { type RunningProcess, startProcess } from './startProcess.ts'
import { keyValue, openSession, type WebDriver } from './webDriver.ts'

/** Opens WebKitGTK's own small browser on a display that nobody sees. */
export async function webKitEngine(): Promise<Engine> {
  const found = findWebKit()
  if (!found) throw new Error('No WebKitGTK with its driver and Xvfb was found; npm test tells how to get them.')
  const display = await startDisplay(found.xvfb)
  const port = await freePort()
  const driver = startProcess(found.driver, [`--port=${port}`], {
    env: { ...process.env, DISPLAY: display.name, GDK_BACKEND: 'x11', NO_AT_BRIDGE: '1' },
    onLine: () => {},
  })
  const send = await openSession(`http://127.0.0.1:${port}`, {
    'webkitgtk:browserOptions': {
      binary: found.browser,
      args: ['--automation'],
    },
  })
  await send('POST', '/window/rect', { width: 1280, height: 1000 })
  const tabs = tabsOf(send, driver.pid)
  return {
    name: 'webkit',
    version: 'WebKitGTK',
    pid: driver.pid,
    open: tabs.open,
    async close() {
      // A browser whose content was killed has ended its session.
      await send('DELETE', '').catch(() => {})
      await driver.end()
      await display.end()
    },
  }
}

async function startDisplay(xvfb: string): Promise<RunningProcess & { readonly name: string }> {
  let started: RunningProcess | undefined
  const number = await new Promise<string>((resolve) => {
    // It chooses a free number, and writes it when it can be used.
    started = startProcess(xvfb, ['-displayfd', '1', '-screen', '0', '1400x1100x24', '-nolisten', 'tcp'], {
      onLine: (line) => /^\d+$/.test(line) && resolve(line),
    })
  })
  return { ...(started as RunningProcess), name: `:${number}` }
}

/** Sends each command to the tab that it is for: of the tabs of a session, one is driven at a time. */
function tabsOf(send: WebDriver, pid: number): Pick<Engine, 'open'> {
  let last: Promise<unknown> = Promise.resolve()
  let current: string | undefined
  let isFirst = true
  const inTurn = <T>(action: () => Promise<T>): Promise<T> => {
    const done = last.then(action, action)
    last = done.catch(() => {})
    return done
  }
  const show = async (handle: string): Promise<void> => {
    if (current !== handle) await send('POST', '/window', { handle })
    current = handle
  }
  const newTab = async (): Promise<string> => {
    if (!isFirst) return (await send<{ readonly handle: string }>('POST', '/window/new', { type: 'window' })).handle
    isFirst = false
    return send<string>('GET', '/window')
  }
  return {
    async open(url): Promise<EnginePage> {
      const handle = await inTurn(newTab)
      const to: WebDriver = (...command) => inTurn(() => show(handle).then(() => send(...command)))
      const page = openPage(protocolOf(to, handle), pid)
      await page.goto(url)
      return page
    },
  }
}

interface Outcome<R> {
  readonly value?: R
  readonly error?: string
}

/** Runs an action in the page with the arguments before the last, which WebDriver takes the outcome by. */
const script = (action: string): string => `
  const args = [...arguments], done = args.pop()
  new Promise((resolve) => resolve((${action})(...args))).then(
    (value) => done({ value }),
    (error) => done({ error: String(error?.stack ? error + '\\n' + error.stack : error) }),
  )`

function protocolOf(send: WebDriver, handle: string): PageProtocol {
  const act = async (actions: object): Promise<void> => {
    await send('POST', '/actions', { actions: [actions] })
  }
  const key = (type: string) => (name: string) =>
    act({ type: 'key', id: 'keys', actions: [{ type, value: keyValue(name) }] })
  const evaluate = async <A extends readonly unknown[], R>(
    action: (...args: A) => R,
    ...args: A
  ): Promise<Awaited<R>> => {
    const outcome = await send<Outcome<Awaited<R>>>('POST', '/execute/async', { script: script(String(action)), args })
    if (outcome.error !== undefined) throw new Error(outcome.error)
    return outcome.value as Awaited<R>
  }
  return {
    async goto(url) {
      await send('POST', '/url', { url })
      await evaluate(collectProblems)
    },
    evaluate,
    problems: () => evaluate(() => (globalThis as Received).problemsOfPage ?? []),
    clickAt: ({ x, y }) =>
      act({
        type: 'pointer',
        id: 'mouse',
        actions: [
          { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      }),
    keyDown: key('keyDown'),
    keyUp: key('keyUp'),
    async reload() {
      await send('POST', '/refresh')
      await evaluate(collectProblems)
    },
    back: () => send('POST', '/back'),
    forward: () => send('POST', '/forward'),
    front: () => send('POST', '/window', { handle }),
    screenshot: async (file) => writeFile(file, Buffer.from(await send<string>('GET', '/screenshot'), 'base64')),
    close: () => send('DELETE', '/window'),
  }
}

type Received = { problemsOfPage?: string[] }

/** Runs in the page. WebDriver tells of no problem by itself, so those from before the page is loaded are missed. */
function collectProblems(): void {
  const problems: string[] = []
  Object.assign(globalThis, { problemsOfPage: problems })
  addEventListener('error', ({ message }) => problems.push(message))
  addEventListener('unhandledrejection', ({ reason }) => problems.push(String(reason)))
  for (const level of ['error', 'warn'] as const) {
    const write = console[level]
    console[level] = (...told) => {
      problems.push(told.map(String).join(' '))
      write(...told)
    }
  }
}
