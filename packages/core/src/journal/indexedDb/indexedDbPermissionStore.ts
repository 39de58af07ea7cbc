import { checkOptions } from '#checks'
import type { Permission } from '../../permission.ts'
import { addPermission, checkPermissions, type PermissionStore } from '../permissionStore.ts'
import { announceChange, watchChanges } from './channel.ts'
import { createConnection } from './connection.ts'
import { resultOf, type Schema, type Store } from './stores.ts'

interface Stores {
  permissions: { readonly agent: string; readonly id: string; readonly permission: Permission }
}

const schema: Schema<Stores> = {
  stores: ['permissions'],
  upgrades: [
    (database) => database.createObjectStore('permissions', { keyPath: ['agent', 'id'] }).createIndex('agent', 'agent'),
  ],
  otherwise: 'another store, such as keyValuePermissionStore()',
}

/**
 * Keeps the permissions of the user of this browser in IndexedDB, for all tabs and workers of the page's origin.
 *
 * @example
 * const store = indexedDbPermissionStore()
 */
export function indexedDbPermissionStore(options: { readonly name?: string } = {}): PermissionStore {
  checkOptions('indexedDbPermissionStore()', options, ['name'])
  const { name = 'interleave' } = options
  const database = `${name} permissions`
  const { read, write } = createConnection(database, schema)
  const change = async (work: (store: PermissionRows) => Promise<unknown>): Promise<void> => {
    await write((transaction) => work(transaction.objectStore('permissions')), 'strict')
    announceChange(database)
  }
  return {
    list: (agent) => read((transaction) => listed(transaction.objectStore('permissions'), agent)),
    add: (agent, added) =>
      change(async (store) => {
        const before = await listed(store, agent)
        const after = addPermission(before, added)
        for (const { id } of before) if (!after.some((one) => one.id === id)) store.delete([agent, id])
        store.put({ agent, id: added.id, permission: added })
      }),
    remove: (agent, id) => change((store) => resultOf(store.delete([agent, id]))),
    watch: (listener) => watchChanges(database, listener),
  }
}

type PermissionRows = Store<Stores['permissions']>

/** Returns the permissions of an agent, oldest first. */
async function listed(store: PermissionRows, agent: string): Promise<readonly Permission[]> {
  const stored = await resultOf(store.index('agent').getAll(agent))
  const all = stored.map(({ permission }) => permission)
  return [...checkPermissions(all)].sort((a, b) => a.at - b.at)
}
