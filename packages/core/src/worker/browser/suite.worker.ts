import { indexedDbJournal } from '../../journal/indexedDb/index.ts'
import { runSuiteAgents } from '../../testing/run/suiteAgents.ts'
import { workerHost } from '../index.ts'

workerHost(runSuiteAgents(), { journal: indexedDbJournal({ name: 'suite' }) })
