import { closed } from '@interleave/core/internal'
import { leave, restHere, setOwner, type Tab } from './tab.ts'

/** Lets go of the run in this tab, for good. */
export function close(tab: Tab): void {
  if (tab.isClosed) return
  tab.isClosed = true
  leave(tab)
  setOwner(tab, 'nobody')
  // Not before: what is still being read goes on with the log as it is.
  void tab.following.end().then(() => rest(tab))
  tab.watch.stop()
  tab.commands.rejectCalls(closed)
  tab.lock.release()
  tab.channel.close()
  tab.onClose()
}

/** Whoever waits for the run would wait forever. */
function rest(tab: Tab): void {
  if (!tab.feed.state.rest) restHere(tab, { type: 'stopped', reason: closed().message })
}
