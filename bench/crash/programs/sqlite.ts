import { DatabaseSync } from 'node:sqlite'
import { sqliteJournal } from '@interleave/server/node'
import { payOnce } from './payer.ts'
import { told } from './toldByEnv.ts'

await payOnce(told, sqliteJournal(new DatabaseSync(told.store)))
