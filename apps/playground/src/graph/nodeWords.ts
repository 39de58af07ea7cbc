import { END, type GraphShape } from '@interleave/core/graph'
import { counted } from '../parts/wording.ts'

/** The activity of a run at its position. */
export type Doing = 'at work' | 'asks you' | 'failed' | 'stopped' | 'done'

export interface Standing {
  readonly visits: number
  /** Undefined if the run is not here. */
  readonly doing?: Doing | undefined
}

/** The name of a node as it is shown. */
export const labelOf = (name: string): string => (name === END ? 'end' : name)

/** The second line in the box of a node. */
export function boxWords({ visits, doing }: Standing): string {
  if (doing) return visits > 0 ? `${doing} · ×${visits}` : doing
  return visits > 0 ? counted(visits, 'visit') : ''
}

/** Describes a node in a sentence, for screen readers. */
export function nodeWords(
  graph: Pick<GraphShape, 'edges' | 'parallel'>,
  name: string,
  { visits, doing }: Standing,
): string {
  const branches = graph.parallel?.find(({ node }) => node === name)?.branches ?? []
  const facts = [
    ...(doing ? [name === END ? 'the run is here' : `the run is here, ${doing}`] : []),
    ...(name === END ? [] : [visits > 0 ? counted(visits, 'visit') : 'not visited yet']),
    ...(branches.length > 0 ? [`${listed(branches, 'and')}, side by side`] : []),
    ...nextWords(graph, name),
  ]
  return `${labelOf(name)}: ${facts.join('; ')}`
}

function nextWords({ edges }: Pick<GraphShape, 'edges'>, name: string): string[] {
  const out = edges.filter(({ from }) => from === name)
  const targets = out.map(({ to }) => labelOf(to))
  return targets.length === 0 ? [] : [`then ${listed(targets, 'or')}`]
}

const listed = (names: readonly string[], last: 'and' | 'or'): string =>
  names.length === 1 ? `${names[0]}` : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`

/** Returns the part of a node's name that fits into its box. */
export function shortName(name: string): string {
  const label = labelOf(name)
  return label.length > 20 ? `${label.slice(0, 19)}…` : label
}
