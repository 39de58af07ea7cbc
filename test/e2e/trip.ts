import type { Page } from 'playwright-core'

/** Starts the trip of the first minute, which ends in a payment. */
export const bookTrip = (page: Page): Promise<void> => page.getByRole('button', { name: 'Book a trip, 60 s' }).click()

export const ledgerOf = (page: Page) => page.getByRole('region', { name: 'Ledger of the bank' })

/** Chooses the first of what is offered. */
export async function answer(page: Page): Promise<void> {
  await page.getByRole('radio').first().check()
  await page.getByRole('button', { name: 'Reply' }).click()
}

/** The words about a run that was killed while it paid. */
export const paidOnce =
  /^Killed while paying\. [\d.]+ m?s later it asked the bank again with the same key; the bank paid once\.$/

/** Waits until the question reads as it is with this number of travellers: an approval before that is held back. */
export const untilAskedFor = (page: Page, travellers: string): Promise<void> =>
  page.getByText(new RegExp(`^Your change makes it: .* for ${travellers} travellers`)).waitFor()

/** Compares the run with the one of the trip that it is a fork of. */
export async function compareWithTrip(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More about this run' }).click()
  await page.getByRole('button', { name: 'Compare with' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Find a train/ })
    .click()
}
