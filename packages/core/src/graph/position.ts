import type { AnyEvent } from '../event.ts'
import { asJson, fromJson } from '../json.ts'
import { checkEvents, checkRunState } from '../options.ts'
import type { RunContext } from '../run.ts'
import type { AnswerSignal } from '../signal.ts'
import { noteOf, type RunState } from '../state.ts'
import { checkShape, END, type GraphShape } from './edges.ts'

/** The position of a run in a graph. */
export interface Position {
  /** The node that is visited, or several concurrent ones; `END` if the graph is over. */
  readonly nodes: readonly string[]
  /** Visits so far, for the user's latest request. */
  readonly visits: number
}

/** Returns a run's position in its graph. Undefined until the graph has started the user's latest request. */
export function position(
  state: RunState,
  graph: Pick<GraphShape, 'edges'> & { readonly name: string },
): Position | undefined {
  checkRunState(state, 'position()')
  checkShape('position()', graph, 'name', 'edges')
  const { name, edges } = graph
  const key = keys.graph(name)
  const place = placeOf(state, { key, of: state.request.seq })
  if (!place) return undefined
  const targetsOf = (node: string) => edges.flatMap(({ from, to }) => (from === node ? [to] : []))
  const { nodes, visits } = positionAt({ state, targetsOf }, key, place)
  return { nodes, visits: visits - place.before }
}

/** A run, and the targets of each node of its graph. */
interface Walked {
  readonly state: RunState
  targetsOf(node: string): readonly string[]
}

/** Returns a position. Its `visits` are all of the run, also those in branches that have not joined. */
export function positionAt(walked: Walked, key: string, place: Place): Position {
  if (!place.forked) return { nodes: [place.node], visits: place.visit }
  const branches = walked.targetsOf(place.node).map((to): Position => {
    const branch = key + keys.branch(place.node, to)
    const at = placeOf(walked.state, { key: branch, of: place.seq })
    // A branch has its first node before it has started, and none once it has joined.
    if (!at) return { nodes: [to], visits: place.visit }
    return at.over ? { nodes: [], visits: at.visit } : positionAt(walked, branch, at)
  })
  const visits = branches.reduce((sum, branch) => sum + branch.visits - place.visit, place.visit)
  return { nodes: branches.flatMap(({ nodes }) => nodes), visits }
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
    if (event.type !== 'noted' || event.call !== undefined || !isOfWalk(event.key, key)) continue
    const place = fromJson<Omit<Place, 'seq'>>(event.value)
    if (event.key === key && place.since !== since) {
      since = place.since
      for (const node of nodes) counts.set(node, 0)
    }
    if (!place.over && !place.forked) counts.set(place.node, (counts.get(place.node) ?? 0) + 1)
  }
  return counts
}

/** Returns true for the graph's own walk and the branches of its forks, but not for graphs inside of its nodes. */
function isOfWalk(key: string, graph: string): boolean {
  if (key === graph) return true
  if (!key.startsWith(`${graph}/`)) return false
  const parts = key.slice(graph.length + 1).split('/')
  return parts.length % 3 === 0 && parts.every((part, index) => index % 3 !== 0 || part === 'fork')
}

/**
 * Formats a graph as a Mermaid flowchart. Edges that a router may choose are dashed, and the nodes of a `position` are
 * marked. Any name is safe in it.
 */
export function toMermaid(shape: GraphShape, at?: Position): string {
  checkShape('toMermaid()', shape, 'nodes', 'edges')
  const { nodes, edges, start } = shape
  const ids = new Map([...nodes, END].map((name, index) => [name, name === END ? 'over' : `n${index}`]))
  const idOf = (name: string): string => ids.get(name) ?? 'over'
  const here = (at?.nodes ?? []).map(idOf)
  return [
    'flowchart TD',
    '  begin((" "))',
    ...nodes.map((name) => `  ${idOf(name)}["${escaped(name)}"]`),
    '  over(["end"])',
    ...(start === undefined ? [] : [`  begin --> ${idOf(start)}`]),
    ...edges.map(({ from, to, conditional }) => `  ${idOf(from)} ${conditional ? '-.->' : '-->'} ${idOf(to)}`),
    ...(here.length > 0 ? ['  classDef here stroke-width:4px', `  class ${here.join(',')} here`] : []),
  ].join('\n')
}

/** Escapes a name for Mermaid: other characters than letters and digits of any script become numbers. */
const escaped = (name: string): string =>
  name.replace(/[^\p{L}\p{M}\p{N} _.,:-]/gu, (character) => `#${character.codePointAt(0)};`)

/** The position of a walk through a graph. Noted at every visit, so the log alone determines where to continue. */
export interface Place {
  /** The `seq` of the request, the outer graph's visit or the fork that it belongs to. An older walk is over. */
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
  /** The visit is over, and the branches that start at this node are running. */
  readonly forked?: true
  readonly over?: true
  /** The answer of the last visit, if the walk reached the end. */
  readonly answer?: AnswerSignal
}

/** Converts names to parts of a key, so that no two keys are the same. */
export const toKey = (name: string): string => name.replaceAll('%', '%25').replaceAll('/', '%2F')

/** The keys of graphs, of graphs inside of visits, and of branches. */
export const keys = {
  graph: (name: string): string => `graph/${toKey(name)}`,
  inner: (outer: string, node: string, graph: string): string => `${outer}/node/${toKey(node)}/${keys.graph(graph)}`,
  branch: (fork: string, target: string): string => `/fork/${toKey(fork)}/${toKey(target)}`,
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

/** The route of a walk: a whole graph, or a branch of it up to its join. */
export interface Path {
  /** The key of the note with its position. */
  readonly key: string
  /** The prefix of question ids in its visits. A nested graph adds it to the outer visit's prefix. */
  readonly label: string
  /** The `seq` of the request, visit or fork that it belongs to. */
  readonly of: number
  readonly start: string
  readonly until: string
  /** The visits of the run, and those that do not count for the limit. */
  readonly visits: number
  readonly before: number
}

/** Starts a walk, or restarts it. */
export function begin(run: RunContext, { key, of, start, until, visits, before }: Path): void {
  const over = start === until
  const since = run.state.seq
  moveTo(run, key, { of, node: start, visit: over ? visits : visits + 1, before, since, ...(over && { over }) })
}
