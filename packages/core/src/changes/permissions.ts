import { isClaimed, permissionOf, withoutConsent } from '../call.ts'
import type { Json } from '../json.ts'
import { isPersistent, permissionBy, withPermission } from '../permission.ts'
import { type Call, type Changes, changeCall, type EventOf, latestTurn, type Next, type RunState } from '../state.ts'
import { ask, reply } from './questions.ts'

/** The changes of permissions, which replies to approvals grant for later calls. */
export const permissionChanges: Changes = {
  replied: (state, { ask: id, value, at }, before) => grant(state, { id, value, at }, before),
  permitted: permit,
  revoked: revoke,
}

interface Granting {
  readonly id: string
  readonly value: Json
  readonly at: number
}

/** Adds the permission that a reply grants. One for good is in a store of its own. */
function grant(state: Next, { id, value, at }: Granting, { asks }: RunState): void {
  const asked = asks.find((open) => open.id === id)
  const permission = !asked || state.parent || isPersistent(value) ? undefined : permissionBy({ ask: asked, value, at })
  if (permission) state.permissions = withPermission(state.permissions, permission)
}

/** Applies a question that an earlier reply answers: as if it were asked, and approved at once. */
function permit(state: Next, { ask: asked, by, at }: EventOf<'permitted'>): void {
  ask(state, asked)
  reply(state, { ask: asked.id, value: { approved: true }, at })
  if (asked.call !== undefined && !asked.from)
    changeCall(state, asked.call, (call) => ({ ...call, consent: { permission: by } }))
}

/** Removes a permission, also from the calls that it approved. One that has started continues, once. */
function revoke(state: Next, { id }: EventOf<'revoked'>): void {
  state.permissions = state.permissions?.filter((permission) => permission.id !== id)
  for (const call of latestTurn(state)?.calls ?? []) if (permissionOf(call) === id) changeCall(state, call.key, revoked)
}

function revoked(call: Call): Call {
  const { consent: _, ...others } = call
  return isClaimed(call) ? others : withoutConsent(call)
}
