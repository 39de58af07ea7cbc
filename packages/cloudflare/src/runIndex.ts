import type { RunSummary } from '@interleave/core/journal'
import type { SqlStorage } from './durableStorage.ts'
import { listSummaries, putSummary } from './sqlSummaries.ts'
import { sqlTables } from './sqlTables.ts'

/** The runs of one person, as their objects told of them last. */
export interface RunIndex {
  has(runId: string): boolean
  /** Those that work, or are about to begin. */
  readonly atWork: ReadonlySet<string>
  put(summary: RunSummary): void
  /** It is about to begin: it counts, and is not listed. */
  expect(summary: RunSummary): void
  remove(runId: string): void
  list: (options?: Parameters<typeof listSummaries>[1]) => readonly RunSummary[]
}

export function createRunIndex(storage: SqlStorage): RunIndex {
  const tables = sqlTables(storage)
  const works = tables.read("SELECT id FROM interleave_runs WHERE json_extract(summary, '$.rest') IS NULL")
  const atWork = new Set(works.map(({ id }) => String(id)))
  const put = (summary: RunSummary): void => {
    tables.write((exec) => putSummary(exec, summary))
    if (summary.rest) atWork.delete(summary.runId)
    else atWork.add(summary.runId)
  }
  const has = (runId: string): boolean => tables.read('SELECT id FROM interleave_runs WHERE id = ?', runId).length > 0
  return {
    has,
    atWork,
    put,
    expect(summary) {
      if (!has(summary.runId)) put({ ...summary, events: 0 })
    },
    remove(runId) {
      tables.write((exec) => exec('DELETE FROM interleave_runs WHERE id = ?', runId))
      atWork.delete(runId)
    },
    list: (options = {}) => listSummaries(tables, options),
  }
}
