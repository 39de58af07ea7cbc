import { workerHost } from '@interleave/connect/worker'
import { indexedDbJournal } from '@interleave/core/indexeddb'
import { guideOf } from './guide.ts'

workerHost([guideOf('')], { journal: indexedDbJournal() })
