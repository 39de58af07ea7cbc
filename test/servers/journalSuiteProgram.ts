// Runs the requirements of a journal on the SQLite of Node, Bun or Deno, each in a file of its own, and prints which
// passed. FOLDER is where the files are.

import path from 'node:path'
import { type SqliteDatabase, sqliteJournal } from '@interleave/server/node'
import { journalSuite } from '@interleave/testing'

/** The class of databases of this runtime. The name of Bun's module is not a constant, so that no compiler looks for it. */
async function databases(): Promise<new (file: string) => SqliteDatabase> {
  const bun = 'bun:sqlite'
  return 'Bun' in globalThis ? (await import(bun)).Database : (await import('node:sqlite')).DatabaseSync
}

const { FOLDER = '.' } = process.env
const Database = await databases()
let files = 0
const passed: string[] = []
const failed: string[] = []
for (const { name, run } of journalSuite(() => sqliteJournal(new Database(path.join(FOLDER, `${++files}.db`)))))
  await run().then(
    () => passed.push(name),
    () => failed.push(name),
  )
console.log(JSON.stringify({ passed, failed }))
