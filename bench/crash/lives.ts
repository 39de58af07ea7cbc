import { fork } from 'node:child_process'
import process from 'node:process'
import type { Page } from 'playwright-core'
import { kill } from '../../test/processes/kill.ts'
import { crash } from '../../test/survival/killPage.ts'
import { openBrowser } from '../browser/openBrowser.ts'
import { openRoute } from './openRoute.ts'
import type { Begin, OpenedSubject, Place } from './subject.ts'

/** A process of Node. */
export const nodeLife =
  (program: string, variables: Readonly<Record<string, string>> = {}): Begin =>
  async ({ run, tool, world, store }) => {
    const env = { ...process.env, ...variables, RUN: run, TOOL: tool, WORLD: world, STORE: store, DBOS__VMID: run }
    const execArgv = ['--disable-warning=ExperimentalWarning']
    const child = fork(program, { env, execArgv, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    let problems = ''
    child.stderr?.on('data', (chunk) => {
      problems += chunk
    })
    const failed = new Promise<never>((_, reject) => {
      child.once('exit', (code) => {
        if (code) reject(new Error(problems.slice(-2_000)))
      })
    })
    failed.catch(() => {})
    return { failed, kill: () => kill(child) }
  }

/** Pages of Chromium, whose database stays when they end. `end` ends one in the middle of its work. */
async function openPages(programs: readonly string[], end: (page: Page) => Promise<void>): Promise<OpenedSubject> {
  const [program = ''] = programs
  const opened = await openBrowser(programs, (name) => `import './${name}'`)
  const context = await opened.browser.newContext()
  return {
    async begin({ run, tool, world, store }) {
      const page = await context.newPage()
      let isKilled = false
      const failed = new Promise<never>((_, reject) => {
        page.on('pageerror', (error) => {
          if (!isKilled) reject(error)
        })
      })
      failed.catch(() => {})
      const told = new URLSearchParams({ run, tool, world, store })
      await page.goto(`${opened.urlOf(program)}&${told}`, { waitUntil: 'commit' })
      return {
        failed,
        async kill() {
          isKilled = true
          await end(page)
          await page.close()
        },
      }
    },
    close: () => opened.close(),
  }
}

/** A tab whose process is crashed. */
export const openTabs = (): Promise<OpenedSubject> => openPages(['crash/programs/tab.ts'], crash)

/** A page whose worker is terminated. */
export const openWorkers = (): Promise<OpenedSubject> =>
  openPages(['crash/programs/workerPage.ts', 'crash/programs/worker.ts'], (page) =>
    page.evaluate(() => globalThis.killWorker()),
  )

type Answer = (request: Request) => Promise<Response>

/** A page with a chat whose tool is executed there; the route of the chat lives on. */
export const openChats =
  (program: string, routeOf: (world: string) => Answer | Promise<Answer>) =>
  async ({ world }: Place): Promise<OpenedSubject> => {
    const route = await openRoute(await routeOf(world))
    const pages = await openPages([program], crash)
    return {
      begin: pages.begin,
      storeOf: () => route.url,
      async close() {
        await pages.close()
        route.close()
      },
    }
  }
