import type { Host, ResumeOptions, Run, Signal } from '@interleave/core'
import type { Channel, Command, Feed, Owner } from '@interleave/core/internal'
import { failed } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import type { Calls } from '../calls.ts'
import type { Following } from './following.ts'
import type { Origin } from './origin.ts'
import type { OwnerLock } from './ownerLock.ts'
import type { OwnerWatch } from './ownerWatch.ts'
import type { Owning } from './owning.ts'
import type { FollowerMessage, OwnerMessage } from './tabMessage.ts'

/** One run in one tab. It owns it, or it follows. */
export interface Tab extends TabSetting {
  readonly feed: Feed
  readonly channel: Channel
  readonly following: Following
  readonly commands: Calls<Command, number>
  readonly lock: OwnerLock
  readonly watch: OwnerWatch
  /** Called once, when the run cannot be used here any more. */
  readonly onClose: () => void
  /** Where the run works. */
  owner: Owner
  /** The other tab that owns it. */
  ownersId: string | undefined
  /** Set while it runs here. Undefined in an owner that could not resume it. */
  owning: Owning | undefined
  /** The number of takeovers by others without a write of its own. */
  losses: number
  isClosed: boolean
  /** True if the run has settled, and this tab neither has the lock nor waits for it. */
  isParked: boolean
  /** Its page is kept for the way back, and does nothing. */
  isAway: boolean
}

export interface TabSetting {
  readonly id: string
  /** The tab's own name. */
  readonly me: string
  readonly origin: Origin
  readonly journal: Journal
  readonly host: Host
  /** Milliseconds without a word of the owner until it counts as frozen. */
  readonly takeoverAfterMs: number
  /** Goes on with the run in this tab. */
  readonly resume: (options: ResumeOptions) => Promise<Run>
}

export const post = (tab: Pick<Tab, 'channel' | 'me'>, message: OwnerMessage | FollowerMessage): void =>
  tab.channel.post({ ...message, from: tab.me })

/** Ends the work here, which writes nothing more. */
export function leave(tab: Tab): void {
  tab.owning?.leave()
  tab.owning = undefined
}

export function setOwner(tab: Tab, by: Owner): void {
  if (tab.owner === by) return
  tab.owner = by
  tab.feed.tell({ type: 'owned', by })
}

/** Fails the run here with a read or write error, until the user retries. */
export function show(tab: Tab, error: unknown): void {
  restHere(tab, failed(error, 'journal_failed'))
  tab.commands.rejectCalls(() => error)
}

/** A rest of this tab alone, which is in no journal. */
export function restHere(tab: Tab, signal: Signal): void {
  const { seq, iteration } = tab.feed.state
  tab.following.stray()
  tab.feed.tell({ seq, at: tab.host.now(), iteration, type: 'rested', signal })
}
