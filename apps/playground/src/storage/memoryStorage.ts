import { keyValuePermissionStore, memoryJournal } from '@interleave/core/journal'
import { memoryBank } from '../bank/memoryBank.ts'
import type { RunRecord } from './checkRecord.ts'
import type { PageStorage } from './PageStorage.ts'

/** The storage of a browser that stores nothing, and of tests. */
export function memoryStorage(): PageStorage {
  const records = new Map<string, RunRecord>()
  return {
    journal: memoryJournal(),
    records: {
      get: async (runId) => records.get(runId),
      put: async (record) => records.set(record.runId, record),
      delete: async (runId) => records.delete(runId),
    },
    permissions: keyValuePermissionStore(new Map(), { user: 'this page' }),
    bank: memoryBank(),
    news: { post() {}, listen() {} },
    isFleeting: true,
  }
}
