import { labelOf } from './nodeWords.ts'

/** Returns the part of a node's name that fits into its box. */
export function shortName(name: string): string {
  const label = labelOf(name)
  return label.length > 20 ? `${label.slice(0, 19)}…` : label
}
