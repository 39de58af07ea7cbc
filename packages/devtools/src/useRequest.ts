import type { Agent, Event } from '@interleave/core'
import { type ModelRequest, requestAt } from '@interleave/core/observe'
import { useEffect, useState } from 'react'

/** The request of a turn, as far as it is known. */
export type Asked =
  | { readonly type: 'loading' }
  | { readonly type: 'found'; readonly request: ModelRequest }
  /** The agent does not come to it any more. */
  | { readonly type: 'lost'; readonly reason: string }

/** Makes the request of a turn again, by its agent. Undefined without one. */
export function useRequest(agent: Agent | undefined, events: readonly Event[], seq: number): Asked | undefined {
  const [asked, tell] = useState<Asked & { readonly of?: string }>({ type: 'loading' })
  const runId = events[0]?.type === 'started' ? events[0].runId : ''
  const of = `${runId} ${seq}`
  // Later events change nothing of it, and there may be many.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another turn or agent has another request.
  useEffect(() => {
    if (!agent) return
    let isLeft = false
    const say = (found: Asked): void => {
      if (!isLeft) tell({ ...found, of })
    }
    requestAt(agent, events, seq).then(
      (request) => say(request ? { type: 'found', request } : { type: 'lost', reason: '' }),
      (error: unknown) => say({ type: 'lost', reason: error instanceof Error ? error.message : String(error) }),
    )
    return () => {
      isLeft = true
    }
  }, [agent, of])
  if (!agent) return undefined
  return asked.of === of ? asked : { type: 'loading' }
}
