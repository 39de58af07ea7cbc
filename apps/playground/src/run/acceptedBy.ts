import type { Connection } from '../models/index.ts'

/** Returns the kinds of files that a model takes, in the format of the browser's picker; empty if it takes none. */
export function acceptedBy({ type }: Pick<Connection, 'type'>): string | undefined {
  switch (type) {
    case 'demo':
    case 'builtIn':
      return undefined
    case 'server':
      return 'image/*'
    default:
      return 'image/*,application/pdf'
  }
}
