import type { Keys, KeyVault, KeyVaultState } from '@interleave/browser'
import { useCallback, useEffect, useState } from 'react'
import { type Connection, type Keyring, nameOfKey, secret } from '../models/index.ts'
import { errorWords } from '../parts/errorWords.ts'
import { usePlayground } from '../run/usePlayground.ts'

let opening: Promise<KeyVault> | undefined

/** The vault of this page. Its code is loaded when it is first needed. */
function vault(): Promise<KeyVault> {
  opening ??= import('@interleave/browser')
    .then(({ keyVault }) =>
      keyVault({ name: 'playground keys', appName: 'Interleave playground', userName: 'Keys of the playground' }),
    )
    .catch((error: unknown) => {
      opening = undefined
      throw error
    })
  return opening
}

export interface Vault {
  readonly state: KeyVaultState | 'checking'
  /** The reason why the last attempt failed. */
  readonly problem: string | undefined
  /** Asks for the passkey, and holds the keys in memory. Returns them. */
  unlock(): Promise<Keyring>
  /** Deletes what is stored. */
  forget(): Promise<void>
}

/** The keys that the user has stored. */
export function useVault(): Vault {
  const { holdKeys } = usePlayground()
  const [state, setState] = useState<Vault['state']>('checking')
  const [problem, setProblem] = useState<string>()
  const attempt = useCallback(async <T>(work: (opened: KeyVault) => Promise<T>): Promise<T | undefined> => {
    try {
      const opened = await vault()
      const result = await work(opened)
      setProblem(undefined)
      setState(await opened.state())
      return result
    } catch (error) {
      setProblem(errorWords(error))
      return undefined
    }
  }, [])
  useEffect(() => void attempt(async () => {}), [attempt])
  return {
    state,
    problem,
    async unlock() {
      const keys = toKeyring((await attempt((opened) => opened.unlock())) ?? {})
      holdKeys(keys)
      return keys
    },
    forget: async () => void (await attempt((opened) => opened.forget())),
  }
}

const toKeyring = (keys: Keys): Keyring =>
  Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, secret(key)]))

/** Stores the key of a connection with a passkey, in addition to the stored ones. Notifies the user of the result. */
export function useRemember(): (connection: Connection) => Promise<void> {
  const { notify, holdKeys } = usePlayground()
  return async (connection) => {
    const name = nameOfKey(connection)
    if (name === undefined || !('key' in connection) || !connection.key?.reveal()) return
    const id = 'vault'
    try {
      holdKeys(toKeyring(await (await vault()).save({ [name]: connection.key.reveal() })))
      notify({ id, tone: 'good', words: 'The key is stored, encrypted with your passkey.' })
    } catch (error) {
      notify({ id, tone: 'bad', words: `The key stays in the memory of this page. ${errorWords(error)}` })
    }
  }
}
