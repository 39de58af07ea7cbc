import type { Command } from '../command.ts'
import { AgentError } from '../error.ts'
import type { Owner } from '../event.ts'
import { failed } from '../failed.ts'
import type { Feed } from '../feed.ts'
import type { Host } from '../host.ts'
import type { Journal } from '../journal.ts'
import { reportLater } from '../reportLater.ts'
import type { ResumeOptions, Run } from '../run.ts'
import type { Signal } from '../signal.ts'
import type { Following } from './following.ts'
import { isConflict } from './isConflict.ts'
import type { OpenCommands } from './openCommands.ts'
import type { Channel, Origin } from './origin.ts'
import type { OwnerLock } from './ownerLock.ts'
import type { OwnerWatch } from './ownerWatch.ts'
import { createOwning, type Owning } from './owning.ts'
import type { FollowerMessage, OwnerMessage, TabMessage } from './tabMessage.ts'

/** One run in one tab. It owns it, or it follows. */
export interface Tab extends TabSetting {
  readonly feed: Feed
  readonly channel: Channel
  readonly following: Following
  readonly commands: OpenCommands
  readonly lock: OwnerLock
  readonly watch: OwnerWatch
  /** Called once, when the run cannot be used here any more. */
  readonly onClose: () => void
  /** Where the run works. */
  owner: Owner
  /** The other tab that owns it. */
  ownersId: string | undefined
  /** While it works here. Missing in an owner that could not go on. */
  owning: Owning | undefined
  /** How often it lost the run to somebody else without having written anything. */
  losses: number
  isClosed: boolean
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
  readonly patience: number
  /** Goes on with the run in this tab. */
  readonly resume: (options: ResumeOptions) => Promise<Run>
}

export const post = (tab: Pick<Tab, 'channel' | 'me'>, message: OwnerMessage | FollowerMessage): void =>
  tab.channel.post({ ...message, from: tab.me })

/** Has something done wherever the run works. Gives how long the log is then. */
export async function send(tab: Tab, command: Command): Promise<number> {
  if (tab.isClosed) throw closed()
  // It failed to go on before. Whoever asks wants it tried again.
  if (tab.owner === 'here' && !tab.owning) {
    const fault = await takeUp(tab)
    if (fault) throw fault.error
    // It may have been left meanwhile.
    return send(tab, command)
  }
  const { owning } = tab
  if (!owning) return tab.commands.send(command)
  try {
    return await owning.perform(command)
  } catch (error) {
    if (!isConflict(error)) throw error
    await giveUp(tab, owning)
    return send(tab, command)
  }
}

/** The run begins in this tab. */
export function begin(tab: Tab, start: (options: ResumeOptions) => Run): void {
  setOwner(tab, 'here')
  tab.owning = createTabOwning(tab)
  tab.owning.begin(start)
  tab.lock.queue()
}

/** This tab is given the run. */
export async function own(tab: Tab): Promise<void> {
  tab.watch.stop()
  tab.ownersId = undefined
  setOwner(tab, 'here')
  if (tab.isClosed) return
  post(tab, { type: 'owner' })
  if (!tab.owning) await takeUp(tab)
}

/** Another tab has the run, or somebody is to get it. */
export function follow(tab: Tab): void {
  if (tab.isClosed || tab.isAway) return
  tab.lock.queue()
  tab.following.begin()
  tab.watch.start()
  post(tab, { type: 'ping' })
}

/** The page is left. Kept for the way back it would be given the run all the same, and do nothing with it. */
export function goAway(tab: Tab): void {
  tab.isAway = true
  leave(tab)
  // What was not kept by now is not kept any more.
  if (tab.owner === 'here') tab.following.stray()
  setOwner(tab, 'nobody')
  tab.watch.stop()
  tab.lock.release()
}

export function comeBack(tab: Tab): void {
  tab.isAway = false
  tab.ownersId = undefined
  follow(tab)
}

/** The run went on elsewhere, or is to. What was told here and not kept is taken back. */
export async function giveUp(tab: Tab, owning: Owning | undefined): Promise<void> {
  if (tab.owner !== 'here' || tab.owning !== owning) return
  leave(tab)
  setOwner(tab, 'nobody')
  tab.lock.release()
  try {
    if (!(await tab.following.setRight())) return strand(tab, taken(tab.id))
    if (++tab.losses > 9) return strand(tab, new AgentError('journal_conflict', contested(tab.id)))
  } catch (error) {
    show(tab, error)
  }
  follow(tab)
}

/** What a tab hears of the others. */
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
    tab.commands.sendAgain()
  }
  tab.following.hear(message, tab.me)
  if (message.type === 'done') tab.commands.done(message.command, message.length)
  if (message.type === 'refused') tab.commands.refused(message.command, message.failure)
}

/** Of all that wait, one steals the run from an owner that does not answer. */
export function takeFromSilent({ id, origin, host, patience, watch, lock }: Tab): void {
  const steal = async (heir: unknown): Promise<void> => {
    if (!heir || !watch.isSilent()) return
    lock.steal()
    // Until the others have heard of it.
    await new Promise<void>((resolve) => void host.timer(patience / 4, resolve))
  }
  origin.locks.request(`interleave:${id}:heir`, { ifAvailable: true }, steal).catch(reportLater)
}

export function close(tab: Tab): void {
  if (tab.isClosed) return
  tab.isClosed = true
  leave(tab)
  setOwner(tab, 'nobody')
  // Whoever waits for it would wait forever.
  if (!tab.feed.state.rest) restHere(tab, { type: 'stopped', reason: closed().message })
  tab.watch.stop()
  tab.commands.rejectAll(closed())
  tab.lock.release()
  tab.channel.close()
  tab.onClose()
}

/** Goes on with the run here. Gives why it cannot, once that is shown. */
async function takeUp(tab: Tab): Promise<{ readonly error: unknown } | undefined> {
  const owning = createTabOwning(tab)
  tab.owning = owning
  try {
    await owning.goOn(tab.resume, tab.following.catchUp)
    tab.commands.performHere(owning.perform)
  } catch (error) {
    // It was left meanwhile, and is somebody else's.
    if (tab.owning !== owning) return undefined
    leave(tab)
    show(tab, error)
    return { error }
  }
  return undefined
}

const createTabOwning = (tab: Tab): Owning => {
  const { id, feed, journal, host, patience } = tab
  const owning = createOwning({
    id,
    feed,
    journal,
    host,
    patience,
    post(message) {
      if (message.type === 'kept') tab.losses = 0
      post(tab, message)
    },
    onConflict: () => void giveUp(tab, owning),
  })
  return owning
}

function leave(tab: Tab): void {
  tab.owning?.leave()
  tab.owning = undefined
}

function setOwner(tab: Tab, by: Owner): void {
  if (tab.owner === by) return
  tab.owner = by
  tab.feed.tell({ type: 'owned', by })
}

/** What cannot be read or written: the run rests with it here, until somebody has it tried again. */
export function show(tab: Tab, error: unknown): void {
  restHere(tab, failed(error, 'journal_failed'))
  tab.commands.rejectAll(error)
}

/** A rest of this tab alone, which is in no journal. */
function restHere(tab: Tab, signal: Signal): void {
  const { seq, iteration } = tab.feed.state
  tab.following.stray()
  tab.feed.tell({ seq, at: tab.host.now(), iteration, type: 'rested', signal })
}

/** Nothing can be made of it in this tab. */
function strand(tab: Tab, error: AgentError): void {
  show(tab, error)
  close(tab)
}

const closed = (): AgentError =>
  new AgentError('stopped', 'This run was closed in this tab. Open it again with resume().')
const taken = (id: string): AgentError =>
  new AgentError('journal_conflict', `The journal has another run "${id}". Start with another id, or without one.`)
const contested = (id: string): string =>
  `Somebody who does not share the run "${id}" goes on with it again and again. Open it everywhere with acrossTabs().`
