import { fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import type { Page } from 'playwright-core'
import type { Told } from './programs/call.ts'
import type { OpenedTabs } from './tabs.ts'

/** A process or a page in which a program runs. */
export interface Life {
  /** Ends it in the middle of what it does. Nothing of it runs when this resolves. */
  kill(): Promise<void>
  /** Rejects if it ends with an error. */
  readonly failed: Promise<never>
}

/** Begins the program of a trial, or begins it again after its death. */
export type Begin = (told: Told) => Promise<Life>

/** A process of Node. */
export const nodeLife =
  (program: string, conditions: readonly string[] = []): Begin =>
  async ({ run, tool, world, store }) => {
    const env = { ...process.env, RUN: run, TOOL: tool, WORLD: world, STORE: store, DBOS__VMID: run }
    const execArgv = ['--disable-warning=ExperimentalWarning', ...conditions]
    const child = fork(program, { env, execArgv, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    let complaints = ''
    child.stderr?.on('data', (chunk) => {
      complaints += chunk
    })
    const failed = new Promise<never>((_, reject) => {
      child.once('exit', (code) => {
        if (code) reject(new Error(complaints.slice(-2_000)))
      })
    })
    failed.catch(() => {})
    return {
      failed,
      async kill() {
        child.kill('SIGKILL')
        await gone
      },
    }
  }

/** A page of Chromium, whose process is ended. Its database stays. */
export const tabLife =
  (tabs: OpenedTabs): Begin =>
  async ({ run, tool, world }) => {
    const page: Page = await tabs.context.newPage()
    const failed = new Promise<never>((_, reject) => page.once('pageerror', reject))
    failed.catch(() => {})
    await page.goto(`${tabs.url}?${new URLSearchParams({ run, tool, world })}`, { waitUntil: 'commit' })
    return {
      failed,
      async kill() {
        const crashed = page.waitForEvent('crash')
        const session = await tabs.context.newCDPSession(page)
        // Nobody is left to answer.
        session.send('Page.crash').catch(() => {})
        await crashed
        await page.close()
      },
    }
  }

/** A database file of SQLite. */
export const sqliteFile = (folder: string, run: string): string => path.join(folder, `${run}.db`)

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
