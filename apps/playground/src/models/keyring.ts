import type { Connection } from './connections.ts'
import type { Secret } from './secret.ts'

/** The keys that this page holds in memory, by their names. */
export type Keyring = Readonly<Record<string, Secret>>

/** A connection, or one as it is written down. */
type Keyed =
  | { readonly type: Exclude<Connection['type'], 'server'> }
  | { readonly type: 'server'; readonly url: string }

/** The name under which the key of a connection is held: a provider has one, and a server has one for its address. */
export function nameOfKey(connection: Keyed): string | undefined {
  switch (connection.type) {
    case 'demo':
    case 'builtIn':
      return undefined
    case 'server':
      return `server ${connection.url}`
    default:
      return connection.type
  }
}
