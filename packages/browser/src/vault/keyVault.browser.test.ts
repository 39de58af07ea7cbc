import { openDB } from 'idb'
import { expect, it } from 'vitest'
import { type FakePrf, fakeAuthenticator } from '../testing/fakeAuthenticator.ts'
import { type KeyVault, type KeyVaultOptions, keyVault } from './keyVault.ts'

let vaults = 0
function opened(prf: FakePrf = 'when asked', options: KeyVaultOptions = {}) {
  const credentials = fakeAuthenticator(prf)
  const name = `vault ${++vaults}`
  /** The vault as another tab or a later visit has it. */
  const again = () => keyVault({ name, credentials, ...options })
  return { credentials, name, vault: again(), again }
}

/** Everything that the database has, as text. */
async function stored(name: string): Promise<string> {
  const database = await openDB(name)
  const all = await database.getAll('sealed')
  database.close()
  const asText = (value: unknown): string =>
    value instanceof Uint8Array ? new TextDecoder('latin1').decode(value) : String(value)
  return all.flatMap((entry) => Object.values(Object(entry)).map(asText)).join()
}

async function tamper(name: string, change: (sealed: Record<string, unknown>) => unknown): Promise<void> {
  const database = await openDB(name)
  await database.put('sealed', change(await database.get('sealed', 'keys')), 'keys')
  database.close()
}

it.each(['at once', 'when asked'] as const)(
  'brings keys back on a later visit, by the passkey alone (%s)',
  async (prf) => {
    const { vault, again, credentials, name } = opened(prf)
    expect(await vault.state()).toBe('empty')

    await vault.save({ openai: 'sk-canary-1' })
    await vault.save({ google: 'AIza-canary-2', openai: 'sk-canary-3' })
    const asked = credentials.asked
    const later = again()
    const state = await later.state()
    const keys = await later.unlock()
    await later.unlock()

    expect(state).toBe('locked')
    expect(keys).toEqual({ openai: 'sk-canary-3', google: 'AIza-canary-2' })
    expect([asked, credentials.asked]).toEqual([prf === 'at once' ? 1 : 2, asked + 1])
    expect(await later.state()).toBe('unlocked')
    expect(await stored(name)).not.toContain('canary')
  },
)

it('makes nothing and stores nothing if passkeys cannot encrypt', async () => {
  const { vault, name } = opened('never')

  await expect(vault.save({ openai: 'sk-canary' })).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining('Keep the keys in memory'),
  })

  expect(await vault.state()).toBe('empty')
  expect(await stored(name)).toBe('')
})

it('changes nothing if the user says no, or another passkey answers', async () => {
  const { vault, again, credentials, name } = opened()
  await vault.save({ openai: 'sk-1' })
  const before = await stored(name)
  const later = again()

  credentials.refuses = true
  await expect(later.unlock()).rejects.toMatchObject({ code: 'cancelled' })
  await expect(later.save({ openai: 'sk-2' })).rejects.toMatchObject({ code: 'cancelled' })
  credentials.refuses = false
  credentials.isAnother = true
  await expect(later.unlock()).rejects.toMatchObject({ code: 'wrong_passkey' })
  await expect(later.save({ openai: 'sk-2' })).rejects.toMatchObject({ code: 'wrong_passkey' })
  credentials.isAnother = false

  expect(await stored(name)).toBe(before)
  expect(await later.state()).toBe('locked')
  expect(await later.unlock()).toEqual({ openai: 'sk-1' })
})

it.each<[string, (sealed: Record<string, unknown>) => unknown, string]>([
  ['of another version', (sealed) => ({ ...sealed, version: 2 }), 'damaged'],
  ['without a salt', ({ salt: _, ...sealed }) => sealed, 'damaged'],
  ['no object', () => 'sk-1', 'damaged'],
  ['too large', (sealed) => ({ ...sealed, data: new Uint8Array(1_000_000) }), 'damaged'],
  ['changed', (sealed) => ({ ...sealed, data: (sealed.data as Uint8Array).map((byte) => byte ^ 1) }), 'wrong_passkey'],
  ['cut off', (sealed) => ({ ...sealed, data: (sealed.data as Uint8Array).slice(0, 20) }), 'wrong_passkey'],
])('says that what is stored cannot be read, and leaves it: %s', async (_, change, code) => {
  const { vault, again, name } = opened()
  await vault.save({ openai: 'sk-1' })
  await tamper(name, change)
  const before = await stored(name)

  await expect(again().unlock()).rejects.toMatchObject({ code, message: expect.stringContaining('forget()') })
  await expect(again().save({ openai: 'sk-2' })).rejects.toMatchObject({ code })

  expect(await stored(name)).toBe(before)
})

it.each([
  ['a name that could not be read again', { ['__proto__']: 'sk-canary-9' }],
  [
    'more bytes than can be read again',
    Object.fromEntries(Array.from({ length: 40 }, (_, n) => [n, '語'.repeat(5_000)])),
  ],
])('refuses %s, and changes nothing', async (_, keys) => {
  const { vault, again } = opened()
  await vault.save({ openai: 'sk-canary-1' })

  await expect(vault.save(keys)).rejects.toMatchObject({ code: 'options_invalid' })

  expect(await again().unlock()).toEqual({ openai: 'sk-canary-1' })
})

it('keeps what several tabs store at the same time', async () => {
  const { vault, again } = opened()
  await vault.save({ first: 'sk-0' })
  const tabs = [again(), again(), again()]

  await Promise.all(tabs.map((tab, index) => tab.save({ [`tab ${index}`]: `sk-${index}` })))

  expect(await again().unlock()).toEqual({ first: 'sk-0', 'tab 0': 'sk-0', 'tab 1': 'sk-1', 'tab 2': 'sk-2' })
})

it('removes one key, forgets all, and begins again', async () => {
  const { vault, again } = opened()
  await vault.save({ openai: 'sk-1', google: 'AIza' })

  expect(await vault.save({ openai: undefined })).toEqual({ google: 'AIza' })
  await vault.forget()
  expect(await again().state()).toBe('empty')
  expect(await again().unlock()).toEqual({})
  expect(await vault.save({ openai: 'sk-2' })).toEqual({ openai: 'sk-2' })
})

it('asks for the passkey again once it is locked', async () => {
  const { vault, credentials } = opened()
  await vault.save({ openai: 'sk-1' })
  const asked = credentials.asked

  vault.lock()
  expect(await vault.state()).toBe('locked')
  await vault.unlock()

  expect(credentials.asked).toBe(asked + 1)
})

it.each<[string, (vault: KeyVault) => Promise<unknown>]>([
  ['unlock', (vault) => vault.unlock()],
  ['save', (vault) => vault.save({ google: 'AIza' })],
])('stays locked if it is locked in the middle of %s', async (_, work) => {
  const { vault, again } = opened()
  await vault.save({ openai: 'sk-1' })
  const later = again()

  const working = work(later)
  later.lock()

  expect(await working).toMatchObject({ openai: 'sk-1' })
  expect(await later.state()).toBe('locked')
})

it('says what to save', async () => {
  await expect(opened().vault.save(null as never)).rejects.toMatchObject({
    name: 'KeyVaultError',
    code: 'options_invalid',
  })
})

it.each<[string, Record<string, string>]>([
  ['an empty key', { openai: '' }],
  ['a long key', { openai: 'x'.repeat(5_001) }],
  ['an empty name', { '': 'sk-canary' }],
  ['many keys', Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`${index}`, 'sk-canary']))],
])('refuses %s before it asks, and does not repeat it', async (_, keys) => {
  const { vault, credentials } = opened()

  const refused = await vault.save(keys).catch((error: unknown) => error)

  expect(refused).toMatchObject({ name: 'KeyVaultError', code: 'options_invalid' })
  expect(String(refused)).not.toMatch(/canary|xxx/)
  expect(credentials.asked).toBe(0)
})

it('says that a newer version of the page has the keys, and leaves them', async () => {
  const { vault, again, name } = opened()
  await vault.save({ openai: 'sk-1' })
  const before = await stored(name)
  const newer = await openDB(name, 99)
  newer.close()
  const later = again()

  for (const access of [later.state(), later.unlock(), later.save({ openai: 'sk-2' }), later.forget()])
    await expect(access).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringMatching(/newer version of this page.*Nothing was changed\. Reload/),
    })

  expect(await stored(name)).toBe(before)
})

it('says where the page cannot store anything', async () => {
  const { vault, name } = opened()
  const other = await openDB(name, 1)
  other.close()

  await expect(vault.save({ openai: 'sk-1' })).rejects.toMatchObject({
    code: 'storage_failed',
    message: expect.stringContaining('Free some storage'),
  })
})
