import { follow } from './follow.ts'
import { leave, setOwner, type Tab } from './tab.ts'

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
