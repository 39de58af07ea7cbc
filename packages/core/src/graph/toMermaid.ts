import { END, type GraphShape } from './graphShape.ts'
import type { Position } from './position.ts'

/**
 * A graph as the text of a Mermaid flowchart. Edges that a router may choose are dashed, and the nodes of a `position` are
 * marked. Any name is safe in it.
 */
export function toMermaid({ nodes, edges, start }: GraphShape, at?: Position): string {
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

/** Letters and digits of any script stay; what Mermaid or HTML might read becomes a character by its number. */
const escaped = (name: string): string =>
  name.replace(/[^\p{L}\p{M}\p{N} _.,:-]/gu, (character) => `#${character.codePointAt(0)};`)
