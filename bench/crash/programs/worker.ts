import { workerHost } from '@interleave/connect/worker'
import { indexedDbJournal } from '@interleave/core/indexeddb'
import { payers } from './payer.ts'

const world = new URLSearchParams(location.search).get('world') ?? ''
workerHost(payers(world), { journal: indexedDbJournal({ name: 'crash' }) })
