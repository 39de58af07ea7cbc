import type { RunState } from '@interleave/core'
import { END, type Graph, position } from '@interleave/core/graph'

/** An activity of a run, as a part of its program. */
export interface Activity {
  readonly type: 'model' | 'execute' | 'ask' | 'approve' | 'node'
  /** The tool or the node. */
  readonly name?: string
}

/** Returns the activities of a run: none once it has finished, several if calls run concurrently. */
export function activitiesOf(state: RunState, graph: Graph | undefined): readonly Activity[] {
  const { asks, rest, history } = state
  if (state.seq === 0 || (rest && rest.type !== 'inputNeeded')) return []
  const turn = history.flat().findLast((entry) => entry.type === 'turn')
  const calls = turn?.type === 'turn' ? turn.calls : []
  const nameOf = (key: string | undefined): string | undefined => calls.find((call) => call.key === key)?.name
  const asking = asks.map(({ kind, call }): Activity => {
    const name = nameOf(call)
    return { type: kind === 'approval' ? 'approve' : 'ask', ...(name !== undefined && { name }) }
  })
  const isAsking = (key: string): boolean => asks.some(({ call }) => call === key)
  const running = calls.flatMap(({ key, name, result, calledAt }): Activity[] =>
    !rest && !result && calledAt !== undefined && !isAsking(key) ? [{ type: 'execute', name }] : [],
  )
  const nodes = (graph && position(state, graph)?.nodes) ?? []
  const at = nodes.flatMap((name): Activity[] => (name === END ? [] : [{ type: 'node', name }]))
  const thinks = !rest && asking.length + running.length === 0 && (at.length === 0 || state.draft !== undefined)
  return [...(thinks ? [{ type: 'model' } as const] : []), ...running, ...asking, ...at]
}
