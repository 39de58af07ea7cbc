import { postgresJournal } from '@interleave/server/node'
import pg from 'pg'
import { payOnce } from './payer.ts'
import { told } from './toldByEnv.ts'

const pool = new pg.Pool({ connectionString: told.store })
await payOnce(told, postgresJournal(pool))
await pool.end()
