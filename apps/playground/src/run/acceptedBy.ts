import type { Connection } from '../models/index.ts'

/** What kinds of files a model takes, as the picker of a browser has them; none where it takes no files. */
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
