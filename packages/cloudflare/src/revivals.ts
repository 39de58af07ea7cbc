import type { SqlStorage } from './durableStorage.ts'

/** The number of revivals without progress. */
export interface Revivals {
  /** One time more, with so many events. Gives how often it was before. */
  count(events: number): number
}

export function createRevivals({ sql }: SqlStorage): Revivals {
  return {
    count(events) {
      sql.exec('CREATE TABLE IF NOT EXISTS interleave_revivals (events INTEGER PRIMARY KEY, times INTEGER NOT NULL)')
      const [row] = sql.exec('SELECT times FROM interleave_revivals WHERE events = ?', events).toArray()
      const times = Number(row?.times ?? 0)
      sql.exec('DELETE FROM interleave_revivals')
      sql.exec('INSERT INTO interleave_revivals (events, times) VALUES (?, ?)', events, times + 1)
      return times
    },
  }
}
