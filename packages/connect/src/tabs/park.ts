import { isKept } from '@interleave/core/observe'
import { follow } from './follow.ts'
import { leave, setOwner, type Tab } from './tab.ts'

export interface Parking {
  /** The tab has taken the run. */
  look(): void
  end(): void
}

/**
 * Parks a settled run, which needs no owner. After a while its tab releases the lock, and takes it again for the next
 * command, or follows the tab that continues it.
 */
export function parkAtRest(tab: Tab): Parking {
  let cancel = (): void => {}
  const look = (): void => {
    cancel()
    if (tab.isParked && !isAtRest(tab)) follow(tab)
    if (canPark(tab))
      cancel = tab.host.timer(tab.takeoverAfterMs, () => void park(tab).then((isDone) => isDone || look()))
  }
  const end = tab.feed.subscribe((event) => {
    if (isKept(event) || event.type === 'owned') look()
  })
  return {
    look,
    end() {
      cancel()
      end()
    },
  }
}

/** Returns true for a settled run. One that waits for a reply stays loaded. */
const isAtRest = ({ feed }: Tab): boolean => feed.state.rest !== undefined && feed.state.rest.type !== 'inputNeeded'

const canPark = (tab: Tab): boolean =>
  !tab.isClosed && !tab.isAway && tab.owner === 'here' && tab.owning !== undefined && isAtRest(tab)

async function park(tab: Tab): Promise<boolean> {
  const { owning } = tab
  const { seq } = tab.feed.state
  await owning?.settled()
  if (!(await isDurable(tab, seq)) || !canPark(tab)) return true
  if (tab.owning !== owning || tab.feed.state.seq !== seq || owning?.isBusy()) return false
  leave(tab)
  tab.isParked = true
  tab.ownersId = undefined
  setOwner(tab, 'nobody')
  tab.lock.release()
  return true
}

/** Returns true if the journal has the whole log. What the journal had no room for is only in this tab. */
async function isDurable({ id, journal }: Tab, length: number): Promise<boolean> {
  try {
    return (await journal.read(id, length - 1)).length === 1
  } catch {
    return false
  }
}
