import type { Agent, Host, ToolSet } from '@interleave/core'
import { assertOption, checkAgent, checkOptions, DEV, readPast } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import { Registry } from '../registry.ts'
import { observeOnce, type RemoteAgent } from '../remoteRun.ts'
import { browserOrigin, type Origin } from './origin.ts'
import { tabHost } from './tabHost.ts'
import { TabRun, type TabRunOptions } from './tabRun.ts'

export interface TabsOptions {
  /** The journal of all tabs: `indexedDbJournal()`. */
  journal: Journal
  /**
   * Milliseconds without a message of a run's tab after which another tab treats it as frozen and takes the run over;
   * 4,000 by default. A tab that closes, reloads or crashes is noticed at once.
   */
  takeoverAfterMs?: number
  /** `tabHost()` by default, whose timers are on time also in a hidden tab. */
  host?: Host
  /** The name that the agent had when older runs began. */
  renamedFrom?: string
  /** The connection between tabs, in addition to the journal; by default Web Locks and BroadcastChannel. */
  origin?: Origin
}

/**
 * Lets any number of tabs open the same run. One tab runs it; the others show it live, and can reply, say and stop. If
 * that tab closes, reloads or crashes, another takes over; a frozen tab that wakes up writes nothing more, and follows.
 *
 * Within one tab a run is opened once: `resume` returns the same object until it is closed.
 *
 * @example
 * const guide = acrossTabs(agent({ name: 'guide', model, tools }), { journal: indexedDbJournal() })
 * const run = await guide.resume(id)
 */
export function acrossTabs<Output, Tools extends ToolSet = ToolSet>(
  agent: Agent<Output, Tools>,
  options: TabsOptions,
): RemoteAgent<Output, Tools> {
  checkOptions('acrossTabs()', options, ['journal', 'takeoverAfterMs', 'host', 'renamedFrom', 'origin'])
  const { journal, takeoverAfterMs = 4_000, host = tabHost(), renamedFrom, origin } = options
  assertOption(journal, DEV && 'acrossTabs() needs a journal that all tabs share, such as indexedDbJournal().')
  assertOption(takeoverAfterMs >= 100, DEV && '`takeoverAfterMs` must be at least 100 milliseconds.')
  const tabs = new Registry<TabRun<Output>>()
  const names = { ...(renamedFrom !== undefined && { renamedFrom }) }

  const createTab = (id: string, past?: TabRunOptions['past']): TabRun<Output> => {
    const tab: TabRun<Output> = new TabRun<Output>({
      ...{ id, journal, host, takeoverAfterMs, origin: origin ?? browserOrigin() },
      resume: (given) => agent.resume(id, { ...given, host, ...names }),
      ...(past && { past }),
      onClose: () => void tabs.removeItem(id, tab),
    })
    return tab
  }
  const openTab = async (id: string): Promise<TabRun<Output>> => {
    const { state, events: log } = await readPast(id, { journal })
    checkAgent(agent, state, names)
    const tab = createTab(id, { state, log })
    try {
      await tab.openRun()
    } catch (error) {
      tab.closeRun()
      throw error
    }
    return tab
  }

  const handle: RemoteAgent<Output> = {
    name: agent.name,
    start(input, { id = host.newId(), observers = [], ...begin } = {}) {
      assertOption(
        !tabs.hasItem(id),
        DEV && `start({ id: "${id}" }): that run is open here. Use another id, or resume() it.`,
      )
      const tab = createTab(id)
      observeOnce(tab.run, observers)
      tabs.addItem(id, tab)
      try {
        tab.startRun((given) => agent.start(input, { ...begin, ...given, id, host }))
      } catch (error) {
        tab.closeRun()
        throw error
      }
      return tab.run
    },
    async resume(id, { observers = [] } = {}) {
      const tab = await tabs.openItem(id, () => openTab(id))
      // It may have been closed before it was in the registry.
      if (tab.isClosed) tabs.removeItem(id, tab)
      observeOnce(tab.run, observers)
      return tab.run
    },
  }
  // The types of the tools are for inference only.
  return handle as RemoteAgent<Output, Tools>
}
