import { AgentError } from '@interleave/core'
import { checkPermissions } from '@interleave/core/internal'
import type { PermissionStore } from '@interleave/core/journal'
import type { Permission } from '@interleave/core/observe'
import type { RequestContext } from './context.ts'
import { converting, json } from './problem.ts'
import type { RunNames } from './runNames.ts'

/** The part of a context that reading a user's permissions needs. */
type PermissionContext = Pick<RequestContext, 'url' | 'names' | 'principal' | 'permissionStore'>

/** Returns the user's permissions for good for the tools of an agent, oldest first. */
export async function listPermissions(context: PermissionContext): Promise<Response> {
  const { store, agent } = storeOf(context)
  const stored = await asStoreFailure(async () => checkPermissions(await store.list(agent)))
  return json({ permissions: stored.map((one) => shownPermission(one, context.names)) })
}

/** Revokes a permission of the user, if it still exists. */
export async function removePermission(context: PermissionContext): Promise<Response> {
  const { store, agent } = storeOf(context)
  const id = paramOf(context.url, 'id', 2_000)
  await asStoreFailure(async () => {
    const stored = checkPermissions(await store.list(agent))
    for (const one of stored) if (context.names.toShown(one.id) === id) await store.remove(agent, one.id)
  })
  return new Response(null, { status: 204 })
}

function storeOf({ permissionStore, principal, url }: PermissionContext): {
  readonly store: PermissionStore
  readonly agent: string
} {
  if (!permissionStore) {
    const message = 'This server lists no permissions. Give its createHandler() the option `permissionStore`.'
    throw new AgentError('request_invalid', message, { status: 404 })
  }
  return { store: permissionStore(principal), agent: paramOf(url, 'agent', 200) }
}

function paramOf({ searchParams }: URL, name: string, longest: number): string {
  const value = searchParams.get(name) ?? ''
  if (value !== '' && value.length <= longest) return value
  throw new AgentError('request_invalid', `Give "${name}", with 1 to ${longest} characters.`)
}

/** Runs work on the store, and marks its failure as retryable. */
const asStoreFailure = <T>(work: () => Promise<T>): Promise<T> =>
  converting(work, (cause) => {
    const message = 'The store of permissions failed.'
    return new AgentError('server_failed', message, { cause, retryable: true, status: 503 })
  })

const shownPermission = ({ id, ask, ...permission }: Permission, { toShown }: RunNames): Permission => ({
  ...permission,
  id: toShown(id),
  ask: ask.from ? { ...ask, from: { ...ask.from, runId: toShown(ask.from.runId) } } : ask,
})
