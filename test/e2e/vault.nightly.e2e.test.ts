import { tabTo } from '@interleave/test-kit/tabTo'
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

  expect(model.received.every((headers) => headers.includes(canary))).toBe(true)
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
  expect(model.received.every((headers) => headers.includes(canary))).toBe(true)
})

test.each([1440, 360])('a key is stored, unlocked and deleted without a pointer, at %i pixels', async (width) => {
  const model = await standIn([{ text: 'Hello.' }])
  const { page, problems } = await openPlayground(context(), { url: named() })
  await addAuthenticator(page, true)
  await page.setViewportSize({ width, height: 740 })
  const { keyboard } = page
  const stored = page.getByRole('button', { name: 'Delete stored keys' })

  await openServerWay(page)
  await tabTo(page, 'Address')
  await keyboard.press('ControlOrMeta+A')
  await keyboard.type(model.url)
  await tabTo(page, 'Model')
  await keyboard.type('stand-in')
  await tabTo(page, 'Key, if the server wants one')
  await keyboard.type(canary)
  await tabTo(page, /^Remember with a passkey/)
  await keyboard.press('Space')
  await audit(page)
  await keyboard.press('Enter')
  await page.getByText('The key is stored, encrypted with your passkey.').waitFor()
  await page.reload()
  await openServerWay(page)
  await stored.waitFor()
  await audit(page)
  await tabTo(page, 'Unlock stored keys')
  await keyboard.press('Enter')
  await expect.poll(() => page.evaluate(focusedField)).toMatch(/^Remember with a passkey/)
  await tabTo(page, 'Delete stored keys')
  await keyboard.press('Enter')
  await stored.waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(focusedField)).toMatch(/^Remember with a passkey/)
  await audit(page)
  await model.close()

  expect(problems.filter((problem) => !problem.startsWith('asked http://localhost:'))).toEqual([])
})

/** Opens the choice of a model, and goes to the fields of a model server. */
async function openServerWay(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1, name: 'Interleave' }).waitFor()
  await page.keyboard.press('m')
  await page.getByRole('dialog').waitFor()
  await tabTo(page, /^(Demo planner|A model server)/)
  await page.getByRole('radio', { name: /OpenAI-compatible/ }).waitFor()
  while (!(await page.getByRole('radio', { name: /OpenAI-compatible/ }).isChecked()))
    await page.keyboard.press('ArrowDown')
}

/** Runs in the page: the label of the field that has the focus. */
const focusedField = (): string =>
  (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent?.trim() ?? ''
