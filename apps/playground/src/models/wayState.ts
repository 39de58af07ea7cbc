import type { Connection } from './connections.ts'
import type { Probe } from './probe.ts'
import { type Way, wayTypeOf } from './ways.ts'

/** The state of a way to a model, as far as it is known. */
export interface WayState {
  readonly words: string
  readonly tone: 'good' | 'bad' | 'open'
}

export interface WayFacts {
  /** The connection that the page uses. */
  readonly connection: Connection
  /** The result of the test of this way. */
  readonly probe: Probe | 'asking' | undefined
}

/** Tells in a word or two if a model can be used by a way. */
export function wayState({ type }: Pick<Way, 'type'>, { connection, probe }: WayFacts): WayState {
  if (type === 'demo') return { words: 'ready', tone: 'good' }
  if (probe === 'asking') return { words: 'checking …', tone: 'open' }
  if (probe) return probe.ok ? { words: 'ready', tone: 'good' } : wrong(probe.diagnosis.problem)
  const isUsed = wayTypeOf(connection) === type
  if (type === 'key' && !(isUsed && 'key' in connection && connection.key?.reveal()))
    return { words: 'needs a key', tone: 'open' }
  return { words: isUsed ? 'in use, not checked' : 'not checked', tone: 'open' }
}

const wrong = (problem: string): WayState => ({
  words:
    problem === 'key' ? 'key refused' : ['unreachable', 'network'].includes(problem) ? 'not reachable' : 'not ready',
  tone: 'bad',
})
