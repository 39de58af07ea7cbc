import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Postgres, startPostgres } from '../../test/servers/startPostgres.ts'
import { type Begin, nodeLife, removeFolder, sqliteFile, tabLife } from './lives.ts'
import { openTabs } from './tabs.ts'

/** What is tried: a program in a place. */
export interface Subject {
  readonly name: string
  /** How it is set up, for the readers of the figures. */
  readonly setup: string
  open(): Promise<OpenedSubject>
}

export interface OpenedSubject {
  readonly begin: Begin
  /** Where the run is kept. */
  readonly storeOf: (run: string) => string
  close(): Promise<void>
}

const program = (name: string): string => path.join(import.meta.dirname, 'programs', `${name}.ts`)
const peerProgram = (name: string): string => path.join(import.meta.dirname, '../peers/crash', `${name}.ts`)

const inPostgres = (file: string) => async (): Promise<OpenedSubject> => {
  const server: Postgres = await startPostgres()
  return { begin: nodeLife(file), storeOf: () => server.url, close: () => server.close() }
}

const inSqlite = (file: string) => async (): Promise<OpenedSubject> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'crash-'))
  return {
    begin: nodeLife(file),
    storeOf: (run) => sqliteFile(folder, run),
    close: async () => removeFolder(folder),
  }
}

const own: readonly Subject[] = [
  {
    name: 'Interleave, a tab',
    setup: 'IndexedDB in Chromium. The process of the page is crashed, and another page opens the run.',
    async open() {
      const tabs = await openTabs()
      return { begin: tabLife(tabs), storeOf: () => '', close: () => tabs.close() }
    },
  },
  {
    name: 'Interleave, Node with SQLite',
    setup: '`sqliteJournal` in a file. The process is killed, and another one opens the run.',
    open: inSqlite(program('sqlite')),
  },
  {
    name: 'Interleave, Node with PostgreSQL',
    setup: '`postgresJournal`. The process is killed, and another one takes the run over.',
    open: inPostgres(program('postgres')),
  },
  {
    name: 'control: calls before it writes',
    setup: 'Ours with SQLite, broken on purpose: its journal claims to have what it has not written.',
    open: inSqlite(program('forgetful')),
  },
]

const peers: readonly Subject[] = [
  {
    name: 'LangGraph',
    setup:
      'Its ReAct agent with its checkpoints in PostgreSQL, written before each next step, which is its most durable mode.',
    open: inPostgres(peerProgram('langgraph')),
  },
  {
    name: 'DBOS',
    setup: 'A workflow in PostgreSQL whose model turns and tool calls are steps; its launch takes up what did not end.',
    open: inPostgres(peerProgram('dbos')),
  },
]

/** All that can be tried here: the peers, once they are installed. */
export const subjects: readonly Subject[] = [
  ...own,
  ...(existsSync(path.join(import.meta.dirname, '../peers/node_modules')) ? peers : []),
]
