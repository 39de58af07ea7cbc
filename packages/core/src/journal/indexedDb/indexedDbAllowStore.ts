import type { Allowed } from '../../allowed.ts'
import { AgentError } from '../../error.ts'
import { refuseUnknown } from '../../options.ts'
import { type AllowStore, addAllowed, checkAllowed } from '../allowStore.ts'
import { tellChange, watchChanges } from './channel.ts'
import { resultOf } from './stores.ts'

/** A permission in the database. */
interface Stored {
  readonly agent: string
  readonly id: string
  readonly allowed: Allowed
}

/**
 * Keeps the permissions of the user of this browser in IndexedDB, for all tabs and workers of the page's origin. Each
 * access opens the database and closes it, so it is in no one's way.
 *
 * @example
 * const store = indexedDbAllowStore()
 */
export function indexedDbAllowStore(options: { readonly name?: string } = {}): AllowStore {
  refuseUnknown('indexedDbAllowStore()', options, { name: true })
  const { name = 'interleave' } = options
  const database = `${name} allowed`
  const change = async (work: (store: IDBObjectStore) => Promise<unknown>): Promise<void> => {
    await within(database, 'readwrite', work)
    tellChange(database)
  }
  return {
    list: (agent) => within(database, 'readonly', (store) => listed(store, agent)),
    add: (agent, added) =>
      change(async (store) => {
        const before = await listed(store, agent)
        const after = addAllowed(before, added)
        for (const { id } of before) if (!after.some((one) => one.id === id)) store.delete([agent, id])
        store.put({ agent, id: added.id, allowed: added } satisfies Stored)
      }),
    remove: (agent, id) => change((store) => resultOf(store.delete([agent, id]))),
    watch: (listener) => watchChanges(database, listener),
  }
}

/** Returns the permissions of an agent, oldest first. */
async function listed(store: IDBObjectStore, agent: string): Promise<readonly Allowed[]> {
  const stored: readonly Stored[] = await resultOf(store.index('agent').getAll(agent))
  const all = stored.map(({ allowed }) => allowed)
  return [...checkAllowed(all)].sort((a, b) => a.at - b.at)
}

/** Does work in one transaction. Resolves when it is complete. */
async function within<T>(
  name: string,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => Promise<T>,
): Promise<T> {
  const database = await open(name)
  try {
    const transaction = database.transaction('allowed', mode, { durability: 'strict' })
    const done = new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error ?? new Error('The transaction was aborted.'))
    })
    done.catch(() => {})
    const result = await work(transaction.objectStore('allowed'))
    await done
    return result
  } finally {
    database.close()
  }
}

function open(name: string): Promise<IDBDatabase> {
  if (typeof indexedDB === 'undefined')
    throw new AgentError(
      'journal_failed',
      'There is no IndexedDB here. Use another store, such as keyValueAllowStore().',
    )
  const request = indexedDB.open(name, 1)
  request.onupgradeneeded = () => {
    request.result.createObjectStore('allowed', { keyPath: ['agent', 'id'] }).createIndex('agent', 'agent')
  }
  return resultOf(request)
}
