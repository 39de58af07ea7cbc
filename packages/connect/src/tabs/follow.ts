import { fromFailure, reportLater } from '@interleave/core/internal'
import { post, setOwner, type Tab } from './tab.ts'
import type { TabMessage } from './tabMessage.ts'

/** Follows the run in another tab, or waits for its next owner. */
export function follow(tab: Tab): void {
  if (tab.isClosed || tab.isAway) return
  tab.isParked = false
  tab.lock.queue()
  tab.following.begin()
  tab.watch.start()
  post(tab, { type: 'ping' })
}

/** Handles a message of another tab. */
export function hear(tab: Tab, message: TabMessage): void {
  if (message.type === 'follow' || message.type === 'ping' || message.type === 'command') {
    tab.owning?.hear(message)
    return
  }
  // An owner that was frozen may still take itself for it.
  if (tab.owner === 'here') return
  tab.watch.heard()
  if (message.from !== tab.ownersId) {
    tab.ownersId = message.from
    setOwner(tab, 'elsewhere')
    tab.following.begin()
    post(tab, { type: 'follow' })
  }
  // Also one that is known may have lost the run and have it anew.
  if (message.type === 'owner') tab.commands.resendCalls()
  tab.following.hear(message, tab.me)
  if (message.type === 'done') tab.commands.resolveCall(message.command, message.length)
  if (message.type === 'refused') tab.commands.rejectCall(message.command, fromFailure(message.failure))
}

/** Of all that wait, one steals the run from an owner that does not answer. */
export function takeFromSilent({ id, origin, host, takeoverAfterMs, watch, lock }: Tab): void {
  const steal = async (heir: unknown): Promise<void> => {
    if (!heir || !watch.isSilent()) return
    lock.steal()
    // Until the others have heard of it.
    await new Promise<void>((resolve) => void host.timer(takeoverAfterMs / 4, resolve))
  }
  origin.locks.request(`interleave:${id}:heir`, { ifAvailable: true }, steal).catch(reportLater)
}
