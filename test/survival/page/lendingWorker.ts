import { pageModel, workerHost } from '@interleave/connect/worker'
import { agent } from '@interleave/core'
import { indexedDbJournal } from '@interleave/core/indexeddb'

export const leasing = agent({ name: 'lending', model: pageModel('local') })

workerHost([leasing], { journal: indexedDbJournal({ name: 'lending' }) })
