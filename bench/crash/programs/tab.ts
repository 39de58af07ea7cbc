import { indexedDbJournal } from '@interleave/core/indexeddb'
import { payOnce } from './payer.ts'
import { told } from './toldByAddress.ts'

await payOnce(told, indexedDbJournal({ name: 'crash' }))
