import type { Json } from '../json.ts'
import type { RunContext } from '../run.ts'
import type { AnswerSignal } from '../signal.ts'
import type { RunState } from '../state.ts'

/** The position of a walk through a graph. Noted at every visit, so the log alone says where to continue. */
export interface Place {
  /**
   * The `seq` of what the walk belongs to: a request, the visit of an outer graph, or a fork. An older walk is over.
   */
  readonly of: number
  /** The node that is visited; where the walk is over, the one that it led to. */
  readonly node: string
  /** The number of this visit among all of the run. */
  readonly visit: number
  /** The number of visits before the walk. */
  readonly before: number
  /** The `seq` of the walk's first note, and of this one. */
  readonly since: number
  readonly seq: number
  /** The turns that there were when the visit began. */
  readonly iteration: number
  /** The visit is over, and the branches that begin at this node are under way. */
  readonly forked?: true
  readonly over?: true
  /** The answer of the last visit, if the walk reached the end. */
  readonly answer?: AnswerSignal
}

/** Names as parts of a key, so that no two keys are the same. */
export const toKey = (name: string): string => name.replaceAll('%', '%25').replaceAll('/', '%2F')

/** The keys of graphs, of graphs inside of visits, and of branches. */
export const keys = {
  graph: (name: string): string => `graph/${toKey(name)}`,
  inner: (outer: string, node: string, graph: string): string => `${outer}/node/${toKey(node)}/${keys.graph(graph)}`,
  branch: (fork: string, target: string): string => `/fork/${toKey(fork)}/${toKey(target)}`,
}

/** The place of the walk that belongs to `of`. Undefined before it has begun. */
export function placeOf(state: RunState, { key, of }: { key: string; of: number }): Place | undefined {
  const place = latestPlace(state, key)
  return place?.of === of ? place : undefined
}

/** The last place under a key, whatever walk it was of. */
export function latestPlace({ notes }: RunState, key: string): Place | undefined {
  const noted: unknown = Object.hasOwn(notes, key) ? notes[key] : undefined
  return noted as Place | undefined
}

/** A place before it is written down, and the key to write it under. */
interface Move extends Omit<Place, 'seq' | 'iteration'> {
  readonly key: string
}

/** Writes down a move. One event, so that a visit is over in the same moment in which the next one begins. */
export function moveTo(run: RunContext, { key, ...move }: Move): void {
  const { seq, iteration } = run.state
  const place: Place = { ...move, seq, iteration }
  run.emit({ type: 'noted', key, value: place as unknown as Json })
}

/** The route of a walk: a whole graph, or a branch of it up to its join. */
export interface Path {
  /** The key of the note with its position. */
  readonly key: string
  /** The prefix of question ids in its visits. A nested graph adds it to the outer visit's prefix. */
  readonly label: string
  /** The `seq` of what it belongs to. */
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
  moveTo(run, { key, of, node: start, visit: over ? visits : visits + 1, before, since, ...(over && { over }) })
}
