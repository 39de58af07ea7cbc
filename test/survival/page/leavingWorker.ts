import { workerHost } from '@interleave/connect/worker'
import { indexedDbJournal } from '@interleave/core/indexeddb'
import { leaving } from './markTool.ts'

workerHost([leaving], { journal: indexedDbJournal({ name: 'leaving' }) })
