import { indexedDbJournal } from '@interleave/core/indexeddb'
import type { Told } from './call.ts'
import { payOnce } from './payer.ts'

const { run = '', tool = '', world = '' } = Object.fromEntries(new URLSearchParams(location.search))

const told: Told = { run, tool, world, store: '' }
await payOnce(told, indexedDbJournal({ name: 'crash' }))
