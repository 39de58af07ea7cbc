import type { ResumeOptions, Run } from '@interleave/core'
import { AgentError } from '@interleave/core'
import type { Command } from '@interleave/core/internal'
import { closed, isConflict } from '@interleave/core/internal'
import { close } from './close.ts'
import { follow } from './follow.ts'
import { createOwning, type Owning } from './owning.ts'
import { leave, post, setOwner, show, type Tab } from './tab.ts'

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
  tab.isParked = false
  setOwner(tab, 'here')
  if (tab.isClosed) return
  post(tab, { type: 'owner' })
  if (!tab.owning) await takeUp(tab)
}

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
  // It rests. If no tab has it, this one takes it again.
  if (tab.isParked) follow(tab)
  const { owning } = tab
  if (!owning) return tab.commands.sendCall(command).answer
  try {
    return await owning.perform(command)
  } catch (error) {
    if (!isConflict(error)) throw error
    await giveUp(tab, owning)
    return send(tab, command)
  }
}

/** Gives up the run because another owner has it, or will. Discards what was emitted here and is not durable. */
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

/** Goes on with the run here. Gives why it cannot, once that is shown. */
async function takeUp(tab: Tab): Promise<{ readonly error: unknown } | undefined> {
  const owning = createTabOwning(tab)
  tab.owning = owning
  try {
    await owning.goOn(tab.resume, tab.following.catchUp)
    tab.commands.answerCallsHere((command) => send(tab, command))
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
  const { id, feed, journal, host, takeoverAfterMs } = tab
  const owning = createOwning({
    id,
    feed,
    journal,
    host,
    takeoverAfterMs,
    post(message) {
      if (message.type === 'kept') tab.losses = 0
      post(tab, message)
    },
    onConflict: () => void giveUp(tab, owning),
  })
  return owning
}

/** Nothing can be made of it in this tab. */
function strand(tab: Tab, error: AgentError): void {
  show(tab, error)
  close(tab)
}

const taken = (id: string): AgentError =>
  new AgentError('journal_conflict', `The journal has another run "${id}". Start with another id, or without one.`)
const contested = (id: string): string =>
  `Another owner outside of acrossTabs() takes over the run "${id}" repeatedly. Open it everywhere with acrossTabs().`
