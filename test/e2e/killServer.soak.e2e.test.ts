import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { freePort } from '../processes/freePorts.ts'
import { audit } from './audit.ts'
import { useContext } from './browser.ts'
import { answers, type Started, start } from './newApps/command.ts'
import { clickPrompt, openPlayground, runIn, untilStatus } from './openPlayground.ts'
import { paidOnce } from './trip.ts'

const context = useContext()
const root = path.join(import.meta.dirname, '../..')
let folder = ''
let url = ''
let server: Started

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'interleave-kill-'))
  const port = await freePort()
  url = `http://127.0.0.1:${port}/`
  server = start(`node scripts/run.mjs start --port ${port} --strictPort`, {
    cwd: root,
    env: { PLAYGROUND_RUNS: path.join(folder, 'runs.sqlite') },
  })
  await answers(url, server)
})
afterAll(async () => {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Kills the server of a run, and waits until the run is back. */
async function kill(page: Page): Promise<void> {
  const receipt = page.getByText(/^Killed at event/)
  const before = await receipt.allTextContents()
  await page.getByRole('button', { name: 'More about this run' }).click()
  await page.getByRole('button', { name: 'Kill it' }).click()
  await expect.poll(() => receipt.allTextContents()).not.toEqual(before)
  await page.getByText(/^Killed at event \d+, back after [\d.]+ m?s, \d finished calls?, 0 repeated\.$/).waitFor()
}

test('a run survives the server that its page kills: while it thinks, and while it waits for an answer', async () => {
  const { page } = await openPlayground(context(), { url, isInHurry: false })
  const dialog = page.getByRole('dialog')
  await runIn(page, 'Server')
  await clickPrompt(page, 'Find a train from Paris to Amsterdam and book it')
  await page.locator('.card.thought').first().waitFor()
  await kill(page)
  await dialog.getByRole('radio').first().waitFor()
  await page.keyboard.press('Escape')
  await kill(page)
  await page.getByRole('button', { name: '1 question waiting' }).click()
  await dialog.getByRole('radio').first().check()
  await dialog.getByRole('button', { name: 'Reply' }).click()
  await dialog.getByRole('button', { name: 'Approve' }).click()

  await untilStatus(page, 'Done')
  await page
    .getByText(/^Booked: the train from Paris/)
    .last()
    .waitFor()
})

test('a payment on the server that is killed before its answer came is made once', async () => {
  const { page, problems } = await openPlayground(context(), { url, isInHurry: false })
  const ledger = page.getByRole('region', { name: 'Ledger of the bank' })
  await runIn(page, 'Server')
  await page.getByRole('button', { name: 'Book a trip, 60 s' }).click()
  await page.getByRole('radio').first().check()
  await page.getByRole('button', { name: 'Reply' }).click()
  await ledger.getByText('No payment yet.').waitFor()
  await page.getByRole('button', { name: 'Approve' }).click()
  await ledger.getByText('asked 1 time').waitFor()
  await page.getByRole('button', { name: 'Kill it' }).click()
  await page.getByText(paidOnce).waitFor()
  await untilStatus(page, 'Done')

  await ledger.getByText('asked 2 times').waitFor()
  expect(await ledger.getByRole('listitem').count()).toBe(1)
  await audit(page)
  expect(problems.filter((problem) => !/ERR_|Failed to load resource|cannot be reached/.test(problem))).toEqual([])
})

test('only the page itself has its server killed, and only where it begins again', async () => {
  const post = (address: string, headers: Record<string, string> = {}) =>
    fetch(new URL('kill', address), { method: 'POST', headers }).then(({ status }) => status)

  expect(await post(url, { origin: 'http://elsewhere.example' })).toBe(403)
  expect((await fetch(new URL('kill', url))).status).toBe(405)
  expect(await post(inject('app'))).not.toBe(202)
  expect((await fetch(url)).status).toBe(200)
})
