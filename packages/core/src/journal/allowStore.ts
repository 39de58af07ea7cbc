import { DEV } from '#checks'
import { type Allowed, withAllowed } from '../allowed.ts'
import { AgentError } from '../error.ts'
import { cached, parseJson, problemInData } from '../json.ts'
import { assertOption } from '../options.ts'
import { mayAllow } from '../question.ts'
import { Queues } from '../queues.ts'
import { allowed as allowedShape } from '../validate/shapes.ts'

/** The permissions that one user gave for good, by agent. If the store fails, nothing is allowed. */
export interface AllowStore {
  /** Returns the permissions for the tools of an agent, oldest first. They are validated before they are used. */
  list(agent: string): PromiseLike<readonly Allowed[]>
  /** Adds a permission. Adding the same id again replaces it. The latest 100 remain. */
  add(agent: string, allowed: Allowed): PromiseLike<void>
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
export function checkAllowed(stored: unknown): readonly Allowed[] {
  if (!Array.isArray(stored)) throw new AgentError('state_invalid', 'The store of permissions returned no list.')
  return stored.slice(-most).filter(isAllowed)
}

const isAllowed = (stored: unknown): stored is Allowed => {
  if (problemInData(stored) !== undefined || allowedShape(stored) !== undefined) return false
  const { ask, always } = stored as Allowed
  return ask.kind === 'approval' && mayAllow(ask, always)
}

/** Returns the permissions with one more, as a store holds them. Throws if it is too large. */
export function addAllowed(all: readonly Allowed[], added: Allowed): readonly Allowed[] {
  const { length } = JSON.stringify(added)
  if (length > longest)
    throw new AgentError('step_failed', `A permission with ${length} characters is too large to be stored.`)
  return withAllowed(
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
 * after another; several processes need an `AllowStore` over a database, in which each permission is a row.
 *
 * @example
 * const store = keyValueAllowStore(new Map(), { user: 'user-17' })
 */
export function keyValueAllowStore(values: KeyValues, options: { readonly user: string }): AllowStore {
  const { user }: Partial<typeof options> = options ?? {}
  const isStore = typeof Object(values).get === 'function' && typeof Object(values).set === 'function'
  assertOption(isStore, DEV && 'keyValueAllowStore() needs an object with get(key) and set(key, value), such as a Map.')
  const advice = 'such as the id of the user, so that users do not share permissions'
  assertOption(typeof user === 'string' && user, DEV && `keyValueAllowStore() needs a \`user\`, ${advice}.`)
  const keyOf = (agent: string): string => JSON.stringify(['allowed', user, agent])
  const list = async (agent: string): Promise<readonly Allowed[]> => {
    const stored = await values.get(keyOf(agent))
    return stored === undefined || stored === null ? [] : checkAllowed(parseJson(stored, limits))
  }
  const change = (agent: string, next: (all: readonly Allowed[]) => readonly Allowed[]): Promise<void> =>
    cached(changes, values, () => new Queues()).run(keyOf(agent), async () => {
      await values.set(keyOf(agent), JSON.stringify(next(await list(agent))))
    })
  return {
    list,
    add: (agent, added) => change(agent, (all) => addAllowed(all, added)),
    remove: (agent, id) => change(agent, (all) => all.filter((one) => one.id !== id)),
  }
}

/** The pending changes of each store: a slow write must not restore a permission that was removed meanwhile. */
const changes = new WeakMap<KeyValues, Queues>()
