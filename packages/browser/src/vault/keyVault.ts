import { checkOptions, isObject } from '@interleave/core/internal'
import { type DBSchema, openDB } from 'idb'
import { canEncrypt, confirmPasskey, createPasskey, type PasskeySetting, unsupported } from './passkey.ts'
import { checkKeys, checkSealed, type Keys, KeyVaultError, keyFrom, type Sealed, seal, unseal } from './sealed.ts'

export interface KeyVaultOptions extends Partial<PasskeySetting> {
  /** The name of the database; `interleave keys` by default. */
  readonly name?: string
}

/** `unsupported`: no passkeys that encrypt. `empty`: nothing is stored. `locked`: the passkey is needed to read it. */
export type KeyVaultState = 'unsupported' | 'empty' | 'locked' | 'unlocked'

/** The user's keys, encrypted with a passkey. Call the methods that ask for the passkey in a click. */
export interface KeyVault {
  /** Returns the state without asking the user for anything. */
  state(): Promise<KeyVaultState>
  /** Asks for the passkey, and returns the keys. */
  unlock(): Promise<Keys>
  /** Adds keys, and returns all. The first call creates a passkey. `undefined` removes a key. */
  save(keys: Readonly<Record<string, string | undefined>>): Promise<Keys>
  /** Removes the keys from memory. The next call asks for the passkey again. */
  lock(): void
  /** Deletes the stored keys. The passkey stays in the user's list, but no longer decrypts anything. */
  forget(): Promise<void>
}

/**
 * Returns a vault for keys that users bring. What it stores is encrypted (AES-GCM) with a key that only the user's passkey can
 * compute (WebAuthn PRF), so neither other scripts nor a copy of the disk can read it while it is locked.
 *
 * @example
 * const vault = keyVault({ appName: 'My app' })
 * await vault.save({ openai: key }) // in a click
 * const { openai } = await vault.unlock() // on the next visit, in a click
 */
export function keyVault(options: KeyVaultOptions = {}): KeyVault {
  checkOptions('keyVault()', options, ['name', 'credentials', 'crypto', 'appName', 'userName'])
  const { name = 'interleave keys', ...setting } = options
  return new PasskeyVault(name, setting)
}

interface Stores extends DBSchema {
  sealed: { key: string; value: unknown }
}

/** The only entry of its database. */
const entry = 'keys'

/**
 * The part of a vault that is in memory. `lock()` replaces it, so work that is still running then writes to the old
 * object.
 */
interface Session {
  /** The encryption key, and the passkey that it comes from. */
  opened?: { readonly key: CryptoKey; readonly credential: string }
}

class PasskeyVault implements KeyVault {
  readonly #name: string
  readonly #setting: Partial<PasskeySetting>
  #session: Session = {}

  constructor(name: string, setting: Partial<PasskeySetting>) {
    this.#name = name
    this.#setting = setting
  }

  async state(): Promise<KeyVaultState> {
    if (!this.#setting.credentials && !(await canEncrypt())) return 'unsupported'
    const found = await this.#find()
    if (found === undefined) return 'empty'
    return keyFor(checkSealed(found), this.#session) ? 'unlocked' : 'locked'
  }

  async unlock(): Promise<Keys> {
    const session = this.#session
    const found = await this.#find()
    if (found === undefined) return {}
    const sealed = checkSealed(found)
    return this.#read(sealed, await this.#keyOf(sealed, session), session)
  }

  /** Stores changes, one tab after the other, so that each adds to the keys of the previous one. */
  save(changes: Readonly<Record<string, string | undefined>>): Promise<Keys> {
    const session = this.#session
    return withLock(this.#name, async () => {
      if (!isObject(changes)) throw new KeyVaultError('options_invalid', noKeys)
      const given = Object.entries(changes)
      checkKeys(Object.fromEntries(given.filter(([, key]) => key !== undefined)))
      const found = await this.#find()
      const sealed = found === undefined ? undefined : checkSealed(found)
      const passkey = sealed ?? (await this.#create(session))
      const key = await this.#keyOf(passkey, session)
      const before = sealed ? await this.#read(sealed, key, session) : {}
      const merged = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== undefined)
      const keys = checkKeys(Object.fromEntries(merged))
      const { credential, salt } = passkey
      const stored = await seal(keys, { credential, salt, key, crypto: this.#passkeys().crypto })
      await this.#inDatabase((database) => database.put('sealed', stored, entry))
      return keys
    })
  }

  lock(): void {
    this.#session = {}
  }

  async forget(): Promise<void> {
    this.lock()
    await withLock(this.#name, () => this.#inDatabase((database) => database.delete('sealed', entry)))
  }

  #passkeys(): PasskeySetting {
    const { credentials = globalThis.navigator?.credentials, crypto = globalThis.crypto } = this.#setting
    if (!credentials || !crypto?.subtle) throw unsupported()
    const { appName = 'Keys of this page', userName = 'Keys of this page' } = this.#setting
    return { credentials, crypto, appName, userName }
  }

  async #create(session: Session): Promise<Pick<Sealed, 'credential' | 'salt'>> {
    if (!this.#setting.credentials && !(await canEncrypt())) throw unsupported()
    const passkeys = this.#passkeys()
    const salt = passkeys.crypto.getRandomValues(new Uint8Array(32))
    const { credential, secret } = await createPasskey(salt, passkeys)
    session.opened = { key: await keyFrom(secret, { salt }, passkeys.crypto), credential: nameOf(credential) }
    return { credential, salt }
  }

  async #keyOf(passkey: Pick<Sealed, 'credential' | 'salt'>, session: Session): Promise<CryptoKey> {
    const known = keyFor(passkey, session)
    if (known) return known
    const passkeys = this.#passkeys()
    const { credential, salt } = passkey
    return keyFrom(await confirmPasskey(credential, salt, passkeys), { salt }, passkeys.crypto)
  }

  /** Reads the stored keys, and keeps the encryption key only if it opens them. */
  async #read(sealed: Sealed, key: CryptoKey, session: Session): Promise<Keys> {
    const keys = await unseal(sealed, key, this.#passkeys().crypto)
    session.opened = { key, credential: nameOf(sealed.credential) }
    return keys
  }

  #find(): Promise<unknown> {
    return this.#inDatabase((database) => database.get('sealed', entry))
  }

  async #inDatabase<T>(work: (database: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> {
    try {
      const database = await open(this.#name)
      try {
        return await work(database)
      } finally {
        database.close()
      }
    } catch (cause) {
      throw new KeyVaultError('storage_failed', Object(cause).name === 'VersionError' ? newer : noStorage, cause)
    }
  }
}

const keyFor = ({ credential }: Pick<Sealed, 'credential'>, { opened }: Session): CryptoKey | undefined =>
  opened?.credential === nameOf(credential) ? opened.key : undefined

const noKeys = 'save() needs an object with keys, such as { openai: key }.'
const noStorage =
  'The browser cannot store keys for this page. Free some storage or leave the private window, or keep the keys in memory.'
const newer =
  'A newer version of this page has stored the keys, and this version cannot open them. Nothing was changed. Reload the page to get the newer version.'

const open = (name: string) =>
  openDB<Stores>(name, 1, { upgrade: (database) => void database.createObjectStore('sealed') })

const nameOf = (credential: Uint8Array): string => credential.join()

/** Runs work under a lock, if the platform has locks. */
const withLock = <T>(name: string, work: () => Promise<T>): Promise<T> =>
  globalThis.navigator?.locks ? navigator.locks.request(`${name} vault`, work) : work()
