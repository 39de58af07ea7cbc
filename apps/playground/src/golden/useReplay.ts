import { messageOf } from '@interleave/core/internal'
import type { ReplayedRun } from '@interleave/testing'
import { useEffect, useState } from 'react'
import type { Conversation } from '../run/PlaygroundState.ts'
import { usePage } from '../run/usePlayground.ts'

interface WithAgent {
  /** The file of the agent that is tested: the edited one, if its user edited it. */
  readonly agentFile: string
  readonly isEdited: boolean
}

export type Replaying = WithAgent &
  (
    | { readonly type: 'working' }
    | { readonly type: 'replayed'; readonly replayed: ReplayedRun }
    | { readonly type: 'failed'; readonly why: string }
  )

/** Replays the file of a run with its agent, as soon as it is shown. No model and no tool is called. */
export function useReplay({ offer, file, log, mind }: Conversation, runFile: unknown): Replaying {
  const edited = usePage(({ edits }) => edits[offer.id]?.used)
  const agentFile = edited ?? file
  const about: WithAgent = { agentFile, isEdited: agentFile !== file }
  const [done, tell] = useState<{ readonly of: unknown; readonly with: string; readonly replaying: Replaying }>()

  useEffect(() => {
    const stop = new AbortController()
    const isEdited = agentFile !== file
    const put = (end: { type: 'replayed'; replayed: ReplayedRun } | { type: 'failed'; why: string }): void => {
      if (!stop.signal.aborted) tell({ of: runFile, with: agentFile, replaying: { ...end, agentFile, isEdited } })
    }
    const replay = async (): Promise<ReplayedRun> => {
      const { replayHere } = await import('./replayHere.ts')
      return replayHere(runFile, { agentFile, log, mind, signal: stop.signal })
    }
    replay().then(
      (replayed) => put({ type: 'replayed', replayed }),
      (error: unknown) => put({ type: 'failed', why: messageOf(error) }),
    )
    return () => stop.abort()
  }, [runFile, agentFile, file, log, mind])

  return done && done.of === runFile && done.with === agentFile ? done.replaying : { type: 'working', ...about }
}
