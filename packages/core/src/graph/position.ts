import { checkEvents, checkRunState } from '#checks'
import type { AnyEvent } from '../event.ts'
import { asJson, fromJson } from '../json.ts'
import type { RunContext } from '../run.ts'
import type { AnswerSignal } from '../signal.ts'
import { noteOf, type RunState } from '../state.ts'
import { checkShape, END, type GraphShape } from './edges.ts'

/** The position of a run in a graph. */
export interface Position {
  /** The node that is visited; `END` if the graph is over. */
  readonly node: string
  /** The branches that have not ended, if the node runs branches side by side. */
  readonly branches?: readonly string[]
  /** Visits so far, for the user's latest request. */
  readonly visits: number
}

/** Returns a run's position in its graph. Undefined until the graph has started the user's latest request. */
export function position(
  state: RunState,
  graph: Pick<GraphShape, 'parallel'> & { readonly name: string },
): Position | undefined {
  checkRunState(state, 'position()')
  checkShape('position()', graph, 'name', 'parallel')
  const key = keys.graph(graph.name)
  const place = placeOf(state, { key, of: state.request.seq })
  if (!place) return undefined
  const { node, seq } = place
  const inside = place.over ? undefined : graph.parallel?.find((parallel) => parallel.node === node)
  const branches = inside?.branches.filter((name) => !branchEnd(state, keys.branch(key, node, name), seq))
  return { node, ...(branches && { branches }), visits: place.visit - place.before }
}

/**
 * Returns the visits of each node for the user's latest request, by name. Their sum is the `visits` of `position`.
 * Reads a log, because a state has only the current position.
 */
export function visitCounts(
  events: Iterable<AnyEvent>,
  graph: Pick<GraphShape, 'nodes'> & { readonly name: string },
): ReadonlyMap<string, number> {
  checkEvents(events, 'visitCounts()')
  checkShape('visitCounts()', graph, 'name', 'nodes')
  const { name, nodes } = graph
  const key = keys.graph(name)
  const counts = new Map<string, number>()
  let since: number | undefined
  for (const event of events) {
    if (event.type !== 'noted' || event.call !== undefined || event.key !== key) continue
    const place = fromJson<Omit<Place, 'seq'>>(event.value)
    if (place.since !== since) {
      since = place.since
      for (const node of nodes) counts.set(node, 0)
    }
    if (!place.over) counts.set(place.node, (counts.get(place.node) ?? 0) + 1)
  }
  return counts
}

/**
 * Formats a graph as a Mermaid flowchart. Edges that a router may choose are dashed, and the node of a `position` is
 * marked, with its branches. Any name is safe in it.
 */
export function toMermaid(shape: GraphShape, at?: Position): string {
  checkShape('toMermaid()', shape, 'nodes', 'edges', 'parallel')
  const { nodes, edges, start } = shape
  const ids = new Map([...nodes, END].map((name, index) => [name, name === END ? 'over' : `n${index}`]))
  const idOf = (name: string): string => ids.get(name) ?? 'over'
  const parallel = new Map(shape.parallel?.map(({ node, branches }) => [node, branches]))
  const branchesOf = (node: string) =>
    (parallel.get(node) ?? []).map((name, index) => ({ name, id: `${idOf(node)}b${index}` }))
  const drawn = (node: string): string[] => {
    const box = `${idOf(node)}["${escaped(node)}"]`
    const branches = branchesOf(node).map(({ name, id }) => `    ${id}["${escaped(name)}"]`)
    return branches.length === 0 ? [`  ${box}`] : [`  subgraph ${box}`, ...branches, '  end']
  }
  const here = at
    ? [idOf(at.node), ...branchesOf(at.node).flatMap(({ name, id }) => (at.branches?.includes(name) ? id : []))]
    : []
  return [
    'flowchart TD',
    '  begin((" "))',
    ...nodes.flatMap(drawn),
    '  over(["end"])',
    ...(start === undefined ? [] : [`  begin --> ${idOf(start)}`]),
    ...edges.map(({ from, to, conditional }) => `  ${idOf(from)} ${conditional ? '-.->' : '-->'} ${idOf(to)}`),
    ...(at ? ['  classDef here stroke-width:4px', `  class ${here.join(',')} here`] : []),
  ].join('\n')
}

/** Escapes a name for Mermaid: other characters than letters and digits of any script become numbers. */
const escaped = (name: string): string =>
  name.replace(/[^\p{L}\p{M}\p{N} _.,:-]/gu, (character) => `#${character.codePointAt(0)};`)

/** The position of a walk through a graph. Noted at every visit, so the log alone determines where to continue. */
export interface Place {
  /** The `seq` of the request or of the outer graph's visit that it belongs to. An older walk is over. */
  readonly of: number
  /** The node that is visited; if the walk is over, the one that it led to. */
  readonly node: string
  /** The number of this visit among all of the run. */
  readonly visit: number
  /** The number of visits before the walk. */
  readonly before: number
  /** The `seq` of the walk's first note, and of this one. */
  readonly since: number
  readonly seq: number
  /** The number of turns when the visit began. */
  readonly iteration: number
  readonly over?: true
  /** The answer of the last visit, if the walk reached the end. */
  readonly answer?: AnswerSignal
}

/** Converts names to parts of a key, so that no two keys are the same. */
export const toKey = (name: string): string => name.replaceAll('%', '%25').replaceAll('/', '%2F')

/** The keys of graphs, and of what is inside of visits: graphs, and branches. */
export const keys = {
  graph: (name: string): string => `graph/${toKey(name)}`,
  inner: (outer: string, node: string, graph: string): string => `${outer}/node/${toKey(node)}/${keys.graph(graph)}`,
  branch: (outer: string, node: string, branch: string): string =>
    `${outer}/node/${toKey(node)}/branch/${toKey(branch)}`,
}

/** Returns the position of the walk that belongs to `of`. Undefined before it has started. */
export function placeOf(state: RunState, { key, of }: { key: string; of: number }): Place | undefined {
  const place = latestPlace(state, key)
  return place?.of === of ? place : undefined
}

/** Returns the last position under a key, of any walk. */
export const latestPlace = (state: RunState, key: string): Place | undefined => noteOf<Place>(state, key)

/** Records a move as one event, so that a visit ends in the same moment in which the next one starts. */
export function moveTo(run: RunContext, key: string, move: Omit<Place, 'seq' | 'iteration'>): void {
  const { seq, iteration } = run.state
  run.emit({ type: 'noted', key, value: asJson({ ...move, seq, iteration }) })
}

/** The route of a walk through a graph. */
export interface Path {
  /** The key of the note with its position. */
  readonly key: string
  /** The prefix of question ids in its visits. A nested graph adds it to the outer visit's prefix. */
  readonly label: string
  /** The `seq` of the request or visit that it belongs to. */
  readonly of: number
  readonly start: string
  /** The visits of the run before this walk. They do not count for the limit. */
  readonly visits: number
}

/** Starts a walk, or restarts it. */
export function begin(run: RunContext, { key, of, start, visits }: Path): void {
  moveTo(run, key, { of, node: start, visit: visits + 1, before: visits, since: run.state.seq })
}

/** The end of a branch, as noted in the log: it does not run again in the same visit. */
export interface BranchEnd {
  /** The `seq` of the visit that it was a branch of. */
  readonly of: number
  /** The keys of the values that it has set. */
  readonly written: readonly string[]
  readonly answer?: AnswerSignal
}

/** Returns the end of a branch of this visit. Undefined while it runs. */
export function branchEnd(state: RunState, key: string, of: number): BranchEnd | undefined {
  const end = noteOf<BranchEnd>(state, key)
  return end?.of === of ? end : undefined
}
