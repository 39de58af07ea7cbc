import { labelOf } from './nodeWords.ts'

/** What of the name of a node fits into its box. */
export function shortName(name: string): string {
  const label = labelOf(name)
  return label.length > 20 ? `${label.slice(0, 19)}…` : label
}
