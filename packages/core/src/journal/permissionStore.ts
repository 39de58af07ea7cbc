import { DEV } from '#checks'
import { AgentError } from '../error.ts'
import { cached, parseJson, problemInData } from '../json.ts'
import { assertOption } from '../options.ts'
import { type Permission, withPermission } from '../permission.ts'
import { mayRemember } from '../question.ts'
import { Queues } from '../queues.ts'
import { permission as permissionShape } from '../validate/shapes.ts'

/** The permissions that one user gave for good, by agent. If the store fails, nothing is allowed. */
export interface PermissionStore {
  /** Returns the permissions for the tools of an agent, oldest first. They are validated before they are used. */
  list(agent: string): PromiseLike<readonly Permission[]>
  /** Adds a permission. Adding the same id again replaces it. The latest 100 remain. */
  add(agent: string, permission: Permission): PromiseLike<void>
  /** Removes a permission by its id. Does nothing if there is none. */
  remove(agent: string, id: string): PromiseLike<void>
  /** Calls the listener when the permissions may have changed, also elsewhere. Returns a function that ends this. */
  watch?(listener: () => void): () => void
}

/** The maximum characters of JSON of the input, the schema and the description together. */
const longest = 32_768
const most = 100
/** The limits of the list. As in a log, an input or a schema may be nested; each permission is followed by a comma. */
const limits = { maxLength: most * (longest + 1) + 1, maxDepth: 100 }

/** Returns the stored permissions that are valid. The others allow nothing. */
export function checkPermissions(stored: unknown): readonly Permission[] {
  if (!Array.isArray(stored)) throw new AgentError('state_invalid', 'The store of permissions returned no list.')
  return stored.slice(-most).filter(isPermission)
}

const isPermission = (stored: unknown): stored is Permission => {
  if (problemInData(stored) !== undefined || permissionShape(stored) !== undefined) return false
  const { ask, scope } = stored as Permission
  return ask.kind === 'approval' && mayRemember(ask, scope)
}

/** Returns the permissions with one more, as a store holds them. Throws if it is too large. */
export function addPermission(all: readonly Permission[], added: Permission): readonly Permission[] {
  const { length } = JSON.stringify(added)
  if (length > longest)
    throw new AgentError('step_failed', `A permission with ${length} characters is too large to be stored.`)
  return withPermission(
    all.filter(({ id }) => id !== added.id),
    added,
  )
}

/** A store of strings by key: a `Map`, or a database of a server. */
export interface KeyValues {
  get(key: string): string | null | undefined | PromiseLike<string | null | undefined>
  set(key: string, value: string): unknown
}

/**
 * Stores the permissions of one user in a key-value store. Within this process, changes for one user and agent run one
 * after another; several processes need a `PermissionStore` over a database, in which each permission is a row.
 *
 * @example
 * const store = keyValuePermissionStore(new Map(), { user: 'user-17' })
 */
export function keyValuePermissionStore(values: KeyValues, options: { readonly user: string }): PermissionStore {
  const { user }: Partial<typeof options> = options ?? {}
  const isStore = typeof Object(values).get === 'function' && typeof Object(values).set === 'function'
  assertOption(
    isStore,
    DEV && 'keyValuePermissionStore() needs an object with get(key) and set(key, value), such as a Map.',
  )
  const advice = 'such as the id of the user, so that users do not share permissions'
  assertOption(typeof user === 'string' && user, DEV && `keyValuePermissionStore() needs a \`user\`, ${advice}.`)
  const keyOf = (agent: string): string => JSON.stringify(['permissions', user, agent])
  const list = async (agent: string): Promise<readonly Permission[]> => {
    const stored = await values.get(keyOf(agent))
    return stored === undefined || stored === null ? [] : checkPermissions(parseJson(stored, limits))
  }
  const change = (agent: string, next: (all: readonly Permission[]) => readonly Permission[]): Promise<void> =>
    cached(changes, values, () => new Queues()).run(keyOf(agent), async () => {
      await values.set(keyOf(agent), JSON.stringify(next(await list(agent))))
    })
  return {
    list,
    add: (agent, added) => change(agent, (all) => addPermission(all, added)),
    remove: (agent, id) => change(agent, (all) => all.filter((one) => one.id !== id)),
  }
}

/** The pending changes of each store: a slow write must not restore a permission that was removed meanwhile. */
const changes = new WeakMap<KeyValues, Queues>()
