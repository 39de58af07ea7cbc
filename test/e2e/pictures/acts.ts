import type { Page } from 'playwright-core'
import { clickPrompt, untilStatus } from '../openPlayground.ts'
import { compareWithTrip } from '../trip.ts'

/** Opens the first page, as for a new visitor. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByRole('heading', { name: 'Agents that live in your tab' }).waitFor()
  // A narrow page shows the runs elsewhere.
  await page.getByText('No runs yet').waitFor({ state: 'attached' })
}

export async function begin(page: Page, address: string, prompt: string): Promise<void> {
  await open(page, address)
  await clickPrompt(page, prompt)
}

const trip = 'Find a train from Paris to Amsterdam and book it'
const dialog = (page: Page) => page.getByRole('dialog')

/** Until it asks which train, with one of them chosen. */
export async function choose(page: Page, address: string): Promise<void> {
  await begin(page, address, trip)
  await page.getByRole('radio').nth(1).check()
}

/** Until it asks whether to book it. */
export async function reply(page: Page, address: string): Promise<void> {
  await choose(page, address)
  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByRole('button', { name: 'Approve' }).waitFor()
}

export async function book(page: Page, address: string): Promise<void> {
  await reply(page, address)
  await page.getByRole('button', { name: 'Approve' }).click()
  await untilStatus(page, 'Done')
}

export const tab = (page: Page, name: string): Promise<void> => page.getByRole('tab', { name, exact: true }).click()

/** The guided run, killed while it pays, and done. */
export async function kill(page: Page, address: string): Promise<void> {
  await open(page, address)
  await page.getByRole('button', { name: 'Book a trip, 60 s' }).click()
  await page.getByRole('radio').first().check()
  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByRole('button', { name: 'Approve' }).click()
  const ledger = page.getByRole('region', { name: 'Ledger of the bank' })
  await ledger.getByText('asked 1 time').waitFor()
  await page.getByRole('button', { name: 'Kill it' }).click()
  await ledger.getByText('asked 2 times').waitFor()
  await untilStatus(page, 'Done')
}

/** A run and its fork, which went another way from another observation. */
export async function compare(page: Page, address: string): Promise<void> {
  await book(page, address)
  await page.locator('.call summary').first().click()
  await page.getByRole('button', { name: 'Fork with another observation' }).click()
  await dialog(page).getByRole('textbox').fill('[]')
  await dialog(page).getByRole('button', { name: 'Fork', exact: true }).click()
  await page.locator('.run-origin a').waitFor()
  await untilStatus(page, 'Done')
  await compareWithTrip(page)
  await page.locator('.turn-row').first().waitFor()
}
