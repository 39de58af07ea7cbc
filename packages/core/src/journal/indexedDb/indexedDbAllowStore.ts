import { checkOptions } from '#checks'
import type { Allowed } from '../../allowed.ts'
import { type AllowStore, addAllowed, checkAllowed } from '../allowStore.ts'
import { announceChange, watchChanges } from './channel.ts'
import { createConnection } from './connection.ts'
import { resultOf, type Schema, type Store } from './stores.ts'

interface Stores {
  allowed: { readonly agent: string; readonly id: string; readonly allowed: Allowed }
}

const schema: Schema<Stores> = {
  stores: ['allowed'],
  upgrades: [
    (database) => database.createObjectStore('allowed', { keyPath: ['agent', 'id'] }).createIndex('agent', 'agent'),
  ],
  otherwise: 'another store, such as keyValueAllowStore()',
}

/**
 * Keeps the permissions of the user of this browser in IndexedDB, for all tabs and workers of the page's origin.
 *
 * @example
 * const store = indexedDbAllowStore()
 */
export function indexedDbAllowStore(options: { readonly name?: string } = {}): AllowStore {
  checkOptions('indexedDbAllowStore()', options, ['name'])
  const { name = 'interleave' } = options
  const database = `${name} allowed`
  const { read, write } = createConnection(database, schema)
  const change = async (work: (store: AllowedRows) => Promise<unknown>): Promise<void> => {
    await write((transaction) => work(transaction.objectStore('allowed')), 'strict')
    announceChange(database)
  }
  return {
    list: (agent) => read((transaction) => listed(transaction.objectStore('allowed'), agent)),
    add: (agent, added) =>
      change(async (store) => {
        const before = await listed(store, agent)
        const after = addAllowed(before, added)
        for (const { id } of before) if (!after.some((one) => one.id === id)) store.delete([agent, id])
        store.put({ agent, id: added.id, allowed: added })
      }),
    remove: (agent, id) => change((store) => resultOf(store.delete([agent, id]))),
    watch: (listener) => watchChanges(database, listener),
  }
}

type AllowedRows = Store<Stores['allowed']>

/** Returns the permissions of an agent, oldest first. */
async function listed(store: AllowedRows, agent: string): Promise<readonly Allowed[]> {
  const stored = await resultOf(store.index('agent').getAll(agent))
  const all = stored.map(({ allowed }) => allowed)
  return [...checkAllowed(all)].sort((a, b) => a.at - b.at)
}
