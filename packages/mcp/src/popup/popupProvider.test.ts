import { expect, it } from 'vitest'
import { memoryStore, PopupProvider } from './popupProvider.ts'

/** The providers of two tabs that share a store. */
function twoTabs() {
  const store = memoryStore()
  const make = () =>
    new PopupProvider({
      ...{ key: 'x', store, redirectUrl: 'https://app.example/back', clientName: 'App', clientMetadataUrl: undefined },
      newId: () => crypto.randomUUID(),
      onPage: () => {},
    })
  return [make(), make()] as const
}

it('keeps the consent of another tab when tokens are stored', async () => {
  const [one, other] = twoTabs()
  const state = one.state()
  await one.saveCodeVerifier('verifier')
  other.answer(other.state())

  await other.saveTokens({ access_token: 'a' })

  expect(await one.take(state)).toBe(true)
  expect(await one.codeVerifier()).toBe('verifier')
})

it('lets one tab take a consent', async () => {
  const [one, other] = twoTabs()
  const state = one.state()
  await one.saveCodeVerifier('verifier')

  expect([await other.take(state), await one.take(state)]).toEqual([false, true])
})

it('says that another tab has renewed the tokens since', async () => {
  const [one, other] = twoTabs()
  await one.saveTokens({ access_token: 'a' })
  await one.tokens()
  expect(await one.isRenewed()).toBe(false)

  await other.saveTokens({ access_token: 'b' })

  expect(await one.isRenewed()).toBe(true)
})

it('keeps tokens that another tab has renewed meanwhile', async () => {
  const [one, other] = twoTabs()
  await one.saveTokens({ access_token: 'a' })
  await one.tokens()
  await other.saveTokens({ access_token: 'b' })

  await one.invalidateCredentials('tokens')

  expect(await one.tokens()).toEqual({ access_token: 'b' })
})
