import type { DatabaseSync } from 'node:sqlite'
import { answerMs as defaultAnswerMs, type Payer, pause, readPayments } from '../bank/Bank.ts'

export interface SqliteBankOptions {
  /** The milliseconds until the bank answers. */
  readonly answerMs?: number
  /** The maximum number of lines in the ledger. The oldest are deleted. */
  readonly most?: number
  readonly now?: () => number
}

/** A bank whose ledger is in a database, so that it survives the process. */
export function sqliteBank(
  database: DatabaseSync,
  { answerMs = defaultAnswerMs, most = 1_000, now = Date.now }: SqliteBankOptions = {},
): Payer {
  database.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  database.exec(
    'CREATE TABLE IF NOT EXISTS payments (key TEXT PRIMARY KEY, runId TEXT, what TEXT, amount REAL, at INTEGER, asked INTEGER)',
  )
  // One statement, so that simultaneous requests of two processes pay once.
  const enter = database.prepare(
    'INSERT INTO payments VALUES (?, ?, ?, ?, ?, 1) ON CONFLICT (key) DO UPDATE SET asked = asked + 1 RETURNING *',
  )
  const forget = database.prepare(
    'DELETE FROM payments WHERE key IN (SELECT key FROM payments ORDER BY at DESC LIMIT -1 OFFSET ?)',
  )
  const ofRun = database.prepare('SELECT * FROM payments WHERE runId = ? ORDER BY at')
  return {
    async pay({ key, runId, what, amount }, signal) {
      const [payment] = readPayments([{ ...enter.get(key, runId, what, amount, now()) }])
      if (!payment) throw new Error('The ledger of the bank returned no payment.')
      forget.run(most)
      if (payment.asked === 1) await pause(answerMs, signal)
      return payment
    },
    paymentsOf: async (runId) => readPayments(ofRun.all(runId).map((row) => ({ ...row }))),
  }
}
