import { workerHost } from '@interleave/connect/worker'
import { indexedDbJournal } from '@interleave/core/indexeddb'
import { installClock } from '../jumpingClock.ts'
import { shopper } from './shopper.ts'

installClock()
workerHost([shopper], { journal: indexedDbJournal() })
