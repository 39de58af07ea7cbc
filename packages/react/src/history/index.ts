// Not 'use client': a server prefetches with the keys and options. The hook has the directive itself.
export type { HistoryActions } from './historyActions.ts'
export { type HistoryJournalOptions, historyJournal } from './historyJournal.ts'
export type { JournalOrName, JournalSource } from './historyKeys.ts'
export { historyKeys } from './historyKeys.ts'
export { type HistoryOptions, type HistoryQuery, historyOptions, type LogQuery, logOptions } from './historyOptions.ts'
export { type History, type UseHistoryOptions, useHistory } from './useHistory.ts'
