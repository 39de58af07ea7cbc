import type { BrowserContext, Page } from 'playwright-core'
import { inject } from 'vitest'

export interface OpenPlayground {
  readonly page: Page
  /** Errors in the console, violations of the page's policy, and requests that leave this machine. None may occur. */
  readonly problems: readonly string[]
}

/** A model that Chromium has no service for says so by itself, when a page asks for one. */
const isOfBrowser = (text: string): boolean => text.startsWith('Unable to create a text session')

export interface OpenOptions {
  readonly isInHurry?: boolean
  /** The speed of its time, if `isInHurry` is false. */
  readonly speed?: number
  readonly url?: string
}

/** Opens the built playground in its own page. In a hurry, its time goes ten times as fast, since no user reads it. */
export async function openPlayground(
  context: BrowserContext,
  { isInHurry = true, speed = isInHurry ? 10 : 1, url = inject('app') }: OpenOptions = {},
): Promise<OpenPlayground> {
  const page = await context.newPage()
  if (speed !== 1) await page.addInitScript(hurry, speed)
  await page.addInitScript(tellViolations)
  const problems: string[] = []
  page.setDefaultTimeout(60_000)
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    if (isOfBrowser(message.text())) return
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  })
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') problems.push(`asked ${request.url()}`)
  })
  await page.goto(url)
  await page.getByRole('heading', { level: 1, name: 'Interleave' }).waitFor()
  return { page, problems }
}

/**
 * Runs in the page: its time goes so many times as fast. Waits of five seconds and more are limits, for a server or a
 * database that is busy, and stay as long as they are. Only the bank of the demo takes that long by itself.
 */
export function hurry(speed = 10): void {
  const bankMs = 29_500
  const { now } = Date
  const begun = now()
  Date.now = () => begun + (now() - begun) * speed
  const wait = window.setTimeout
  const isLimit = (ms: number): boolean => speed > 1 && ms >= 5_000 && ms !== bankMs
  window.setTimeout = ((callback: () => void, ms = 0) =>
    wait(callback, isLimit(ms) ? ms : ms / speed)) as typeof window.setTimeout
}

/** Runs in the page: what its content security policy forbids becomes an error in the console. */
function tellViolations(): void {
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
    console.error(`The policy of the page forbids ${effectiveDirective}: ${blockedURI} ${sample}`),
  )
}

/** Clicks one of the prompts on the first page. */
export const clickPrompt = (page: Page, prompt: string): Promise<void> =>
  page.getByRole('button', { name: prompt, exact: true }).click()

/** Chooses where the next run executes, such as "Shared worker". */
export async function runIn(page: Page, host: string): Promise<void> {
  const field = page.getByLabel('Run in', { exact: true })
  // The options are loaded when it has the focus.
  await field.focus()
  await field.selectOption(host)
}

/** Waits until the status line says this. */
export const untilStatus = (page: Page, words: string): Promise<void> =>
  page.locator('.status-line').getByText(words, { exact: true }).waitFor()

/** Returns the agent's latest answer. */
export const answerIn = async (page: Page): Promise<string> =>
  (await page.locator('.message-text').last().textContent()) ?? ''
