// Not 'use client': a server prefetches with the keys and options. The hook has the directive itself.
export type { HistoryActions } from './historyActions.ts'
export { type HistoryJournalOptions, historyJournal } from './historyJournal.ts'
export {
  type HistoryOptions,
  type HistoryQuery,
  historyKeys,
  historyOptions,
  type JournalOrName,
  type JournalSource,
  type LogQuery,
  logOptions,
} from './historyOptions.ts'
export { type History, type UseHistoryOptions, useHistory } from './useHistory.ts'
