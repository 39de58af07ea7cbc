import type { CDPSession, Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { audit } from './audit.ts'
import { useContext } from './browser.ts'
import { everythingStored } from './everythingStored.ts'
import { openPlayground, untilStatus } from './openPlayground.ts'
import { standIn, useStandIn } from './standIn.ts'

const context = useContext()
const canary = 'sk-canary-5f0e7b21c9d84a36'
/** Passkeys belong to a host name, not to an address. */
const named = (): string => inject('app').replace('127.0.0.1', 'localhost')

/** The device of a user who confirms at once. */
async function addAuthenticator(page: Page, hasPrf: boolean): Promise<Device> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    ctap2Version: 'ctap2_1',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
    hasPrf,
  } as const
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options })
  return { session, authenticatorId }
}

interface Device {
  readonly session: CDPSession
  readonly authenticatorId: string
}

test('a key is stored with a passkey, and opens the run again after a reload', async () => {
  const model = await standIn([{ text: 'Hello.' }, { text: 'Hello again.' }])
  const { page } = await openPlayground(context(), { url: named() })
  await addAuthenticator(page, true)

  await useStandIn(page, { url: model.url, key: canary, isRemembered: true })
  await page.getByText('The key is stored, encrypted with your passkey.').waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('Hi')
  await page.keyboard.press('Enter')
  await untilStatus(page, 'Done')
  const stored = await page.evaluate(everythingStored)
  await page.reload()
  await page.getByRole('textbox', { name: 'Message' }).fill('Again')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'The key is needed again' }).waitFor()
  await audit(page)
  await page.getByRole('button', { name: 'Unlock stored keys' }).click()
  await page.locator('.message-text', { hasText: 'Hello again.' }).waitFor()
  await model.close()

  expect(model.heard.every((headers) => headers.includes(canary))).toBe(true)
  expect(stored).toContain(model.url)
  expect(stored).not.toContain(canary)
})

test('a passkey that is not confirmed changes nothing, and stored keys can be deleted', async () => {
  const model = await standIn([{ text: 'Hello.' }])
  const { page } = await openPlayground(context(), { url: named() })
  const { session, authenticatorId } = await addAuthenticator(page, true)
  await useStandIn(page, { url: model.url, key: canary, isRemembered: true })
  await page.getByText('The key is stored, encrypted with your passkey.').waitFor()
  const unlock = page.getByRole('button', { name: 'Unlock stored keys' })
  const openKeys = async (): Promise<void> => {
    await page.reload()
    await page.getByRole('button', { name: /^Model/ }).click()
    await page.getByRole('radio', { name: /OpenAI-compatible/ }).check()
    await unlock.click()
  }

  await openKeys()
  await unlock.waitFor({ state: 'detached' })
  const before = await page.evaluate(everythingStored)
  await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await openKeys()
  await page.getByText(/The passkey was not confirmed. Nothing has changed./).waitFor()
  await audit(page)
  const after = await page.evaluate(everythingStored)
  await page.getByRole('button', { name: 'Delete stored keys' }).click()
  await page.getByRole('button', { name: 'Delete stored keys' }).waitFor({ state: 'detached' })
  await model.close()

  expect(after).toBe(before)
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('without a passkey that encrypts, the key stays in memory, and the page says so', async () => {
  const model = await standIn([{ text: 'Hello.' }])
  const { page } = await openPlayground(context(), { url: named() })
  await addAuthenticator(page, false)

  await useStandIn(page, { url: model.url, key: canary, isRemembered: true })
  await page
    .getByText(/The key stays in the memory of this page. This browser or its passkeys cannot encrypt/)
    .waitFor()
  await page.getByRole('textbox', { name: 'Message' }).fill('Hi')
  await page.keyboard.press('Enter')
  await untilStatus(page, 'Done')
  await model.close()

  expect(await page.evaluate(everythingStored)).not.toContain(canary)
  expect(model.heard.every((headers) => headers.includes(canary))).toBe(true)
})
