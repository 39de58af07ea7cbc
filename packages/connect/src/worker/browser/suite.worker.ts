import { indexedDbJournal } from '@interleave/core/indexeddb'
import { runSuiteAgents } from '@interleave/test-kit/run/suiteAgents'
import { workerHost } from '../index.ts'

workerHost(runSuiteAgents(), { journal: indexedDbJournal({ name: 'suite' }) })
