import { pageModel, workerHost } from '@interleave/connect/worker'
import { agent } from '@interleave/core'
import { indexedDbJournal } from '@interleave/core/indexeddb'

export const lending = agent({ name: 'lending', model: pageModel('local') })

workerHost([lending], { journal: indexedDbJournal({ name: 'lending' }) })
