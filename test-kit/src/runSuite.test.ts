import { acrossTabs } from '@interleave/connect/tabs'
import { pageAgent, workerAgent, workerHost } from '@interleave/connect/worker'
import { memoryJournal } from '@interleave/core/journal'
import { describe, it } from 'vitest'
import { fakeBrowser } from './fakeBrowser.ts'
import { agentOf, inThePage } from './inThePage.ts'
import { runSuiteAgents } from './run/suiteAgents.ts'
import type { OpenOptions, RunPlace } from './runPlace.ts'
import { runSuite } from './runSuite.ts'

function inTabs(): RunPlace {
  const journal = memoryJournal()
  const { openTab } = fakeBrowser(journal, () => new Promise((resolve) => setTimeout(resolve)))
  return {
    open(name, options: OpenOptions = {}) {
      const tab = openTab()
      const shared = acrossTabs(agentOf(name), { journal: tab.journal, origin: tab.origin, takeoverAfterMs: 100 })
      return pageAgent(shared, options as never)
    },
    journal,
  }
}

function inAWorker(): RunPlace {
  const journal = memoryJournal()
  const host = workerHost(runSuiteAgents(), { journal })
  const ports: MessagePort[] = []
  return {
    open(name, options = {}) {
      const { port1, port2 } = new MessageChannel()
      ports.push(port1, port2)
      host.connect(port1)
      return workerAgent(port2, name, options as never)
    },
    journal,
    close() {
      for (const port of ports) port.close()
    },
  }
}

const places = { 'in the page': inThePage, 'in tabs': inTabs, 'in a worker': inAWorker }

describe.each(Object.entries(places))('%s', (_, create) => {
  for (const { name, run } of runSuite(create)) it(name, run)
})
