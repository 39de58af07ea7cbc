export { type NodeListenerOptions, nodeListener } from './nodeListener.ts'
export { type PostgresClient, postgresJournal, postgresTables } from './postgresJournal.ts'
export { type SqliteDatabase, type SqliteStatement, sqliteJournal } from './sqliteJournal.ts'
export type { NodeRequest, NodeResponse } from './toRequest.ts'
