import type { DBSchema, IDBPDatabase, IDBPTransaction } from 'idb'
import type { Event } from '../../event.ts'
import type { RunSummary } from '../../journal.ts'
import type { Place } from './largeValues.ts'

/** The database schema. Logs and list entries are separate, so that a list loads no log. */
export interface Stores extends DBSchema {
  runs: { key: string; value: StoredRun; indexes: { updatedAt: number; agent: [string, number] } }
  /** By run and the `seq` of the last of them. */
  events: { key: EventKey; value: StoredEvents; indexes: { large: string } }
  /** Large values by their hash, each once. */
  values: { key: string; value: unknown }
  /** The latest epoch, under `epoch`: one counter for all runs, so that a new run of the same id repeats none. */
  counters: { key: string; value: number }
}

export type EventKey = [runId: string, seq: number]

/** Those of the records that have the events of a run from a position on. The first of them may begin before it. */
export const keysOf = (runId: string, from = 0): IDBKeyRange =>
  IDBKeyRange.bound([runId, from], [runId, Number.POSITIVE_INFINITY])

/** Returns the id range of a run's descendants: those that begin with "<id>/". "0" is the character after "/". */
export const idsBelow = (runId: string): readonly [first: string, end: string] => [`${runId}/`, `${runId}0`]

export interface StoredRun {
  readonly runId: string
  /** Of the latest claim. */
  readonly epoch?: number
  /** Absent while the run is claimed and has no events yet. */
  readonly summary?: RunSummary
  /** The number of events, from the first, that are in pages. */
  readonly paged?: number
}

/** Events that follow each other: those of one write, or a page of many. */
export interface StoredEvents {
  /** Without their large values. */
  readonly events: readonly Event[]
  readonly places?: readonly Place[]
  /** The hashes of their large values, for the index. */
  readonly large?: readonly string[]
}

export const storeNames = ['runs', 'events', 'values', 'counters'] as const
export type Mode = 'readonly' | 'readwrite'
export type Transaction<M extends Mode> = IDBPTransaction<Stores, typeof storeNames, M>

export type Upgrade = (database: IDBPDatabase<Stores>) => void

/** The upgrades from each database version to the next. Append only; never change one. */
export const upgrades: readonly Upgrade[] = [
  (database) => {
    const runs = database.createObjectStore('runs', { keyPath: 'runId' })
    runs.createIndex('updatedAt', 'summary.updatedAt')
    runs.createIndex('agent', ['summary.agent', 'summary.updatedAt'])
    database.createObjectStore('events').createIndex('large', 'large', { multiEntry: true })
    database.createObjectStore('values')
    database.createObjectStore('counters')
  },
]
