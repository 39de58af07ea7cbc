import type { RemoteRun } from '@interleave/connect/tabs'
import type { Listener, Run, UserContent } from '@interleave/core'
import { exportRun, type ForkEdit, fork, type RunFile } from '@interleave/core/journal'
import type { PageStorage } from '../storage/PageStorage.ts'
import { createEventLog, type EventLog } from './eventLog.ts'
import type { Handle } from './handleOf.ts'

/** The ways to open a run: start it with a message, resume it by its id, or fork another run. */
export type Way = Start | Resume | Fork

export interface Start {
  readonly type: 'start'
  readonly id: string
  readonly text: string
  /** The text with its files. */
  readonly content?: UserContent | undefined
}
export interface Resume {
  readonly type: 'resume'
  readonly id: string
}
export interface Fork {
  readonly type: 'fork'
  readonly id: string
  /** The run that it is made of. */
  readonly of: RunFile | Run
  /** The last event of that run that it has, by default the last of all, and the change of that event. */
  readonly at?: number
  readonly edit?: ForkEdit
}

/** A run that all tabs may share. */
export type OpenRun = Run & Partial<Pick<RemoteRun, 'owner' | 'connection' | 'close'>>

export interface Opened {
  readonly run: OpenRun
  readonly log: EventLog
}

/** Opens a run in this page; nothing else does. The tabs decide among themselves which of them owns it. */
export async function openRun(handle: Handle, way: Way, storage: PageStorage): Promise<Opened> {
  const log = createEventLog()
  const run = await begin(handle, way, { storage, observers: [log.observer] })
  // The notices from before the page could listen.
  if (way.type !== 'start') log.precede((await exportRun(run)).events)
  return { run, log }
}

interface Beginning {
  readonly storage: PageStorage
  readonly observers: readonly Listener[]
}

async function begin(handle: Handle, way: Way, { storage, observers }: Beginning): Promise<OpenRun> {
  switch (way.type) {
    case 'start':
      return handle.start(way.content ?? way.text, { id: way.id, observers })
    case 'resume':
      return handle.resume(way.id, { observers })
    case 'fork': {
      const { type: _, of, ...place } = way
      const run = await fork(handle, of, { ...place, journal: storage.journal, observers })
      // A host that forks by itself returns the run without observers.
      return handle.fork ? handle.resume(run.id, { observers }) : run
    }
  }
}
