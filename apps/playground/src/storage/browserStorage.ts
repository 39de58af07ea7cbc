import { indexedDbJournal, indexedDbPermissionStore } from '@interleave/core/indexeddb'
import { type DBSchema, openDB } from 'idb'
import { browserBank } from '../bank/browserBank.ts'
import type { RunRecord } from './checkRecord.ts'
import { openNews } from './News.ts'
import type { PageStorage, Records } from './PageStorage.ts'

/**
 * Stores in the browser's database; in memory if there is none, or if there are no locks with which tabs agree on an
 * owner.
 */
export async function browserStorage(): Promise<PageStorage> {
  const journal = indexedDbJournal({ name })
  try {
    if (!navigator.locks) throw new Error('There are no locks.')
    const records = await openRecords()
    await journal.list({ limit: 1 })
    const permissions = indexedDbPermissionStore({ name })
    return { journal, records, permissions, bank: browserBank(), news: openNews(), isFleeting: false }
  } catch {
    return (await import('./memoryStorage.ts')).memoryStorage()
  }
}

const name = 'playground'

interface Stores extends DBSchema {
  runs: { key: string; value: RunRecord }
}

async function openRecords(): Promise<Records> {
  const database = await openDB<Stores>('playground runs', 1, {
    upgrade: (made) => void made.createObjectStore('runs', { keyPath: 'runId' }),
  })
  return {
    async get(runId) {
      // The code that checks it is fetched with the first run, not with the page.
      const [{ checkRecord }, found] = await Promise.all([import('./checkRecord.ts'), database.get('runs', runId)])
      return checkRecord(found)
    },
    put: (record) => database.put('runs', record),
    delete: (runId) => database.delete('runs', runId),
  }
}
