import { type Event, isAgentError } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { useEffect, useState } from 'react'
import { errorWords } from '../parts/errorWords.ts'
import { own } from '../parts/objects.ts'
import { textOf } from './messages.ts'
import { usePage, usePlayground } from './usePlayground.ts'

/** The log of a run, open or not. */
export interface RunLog {
  readonly events: readonly Event[]
  readonly title: string
}
export type FoundLog =
  | { readonly type: 'loading' }
  | { readonly type: 'none'; readonly why: string }
  | ({ readonly type: 'found' } & RunLog)

/** Reads the log of a run, and reads it again when runs settle. It does not resume the run. */
export function useRunLog(runId: string): FoundLog {
  const { store, browse } = usePlayground()
  const changes = usePage((page) => page.changes)
  const [found, setFound] = useState<FoundLog>({ type: 'loading' })

  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of what is kept is a reason to look again.
  useEffect(() => {
    let isWanted = true
    const read = async (): Promise<FoundLog> => {
      const { conversations, marks } = store.getState()
      const open = conversations.find(({ run }) => run.id === runId)
      const events = open?.log.events ?? (await durableLog(await browse(), runId))
      if (events.length === 0) return { type: 'none', why: 'There is no such run in this browser.' }
      return { type: 'found', events, title: own(marks, runId)?.name ?? firstSaid(events) }
    }
    read()
      .catch((error: unknown): FoundLog => ({ type: 'none', why: errorWords(error) }))
      // Reading again because of another run changes nothing.
      .then((next) => isWanted && setFound((before) => (isSame(before, next) ? before : next)))
    return () => {
      isWanted = false
    }
  }, [runId, changes, store, browse])

  return found
}

/** Returns the log of a run; empty if there is no such run. Throws for a damaged log, which nothing could show. */
async function durableLog(journal: Journal, runId: string): Promise<readonly Event[]> {
  const { exportRun } = await import('@interleave/core/journal')
  try {
    return (await exportRun(journal, runId)).events
  } catch (error) {
    if (isAgentError(error) && error.code === 'run_unknown') return []
    throw error
  }
}

const isSame = (a: FoundLog, b: FoundLog): boolean =>
  a.type === 'found' && b.type === 'found' && a.events.length === b.events.length && a.title === b.title

function firstSaid(events: readonly Event[]): string {
  const said = events.find((event) => event.type === 'said')
  return said ? textOf(said.content) : 'Untitled'
}
