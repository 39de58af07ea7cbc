import type { CloudName, Connection, Secret } from '../models/index.ts'
import { type Keyring, nameOfKey, secret } from '../models/index.ts'
import { own } from '../parts/objects.ts'

/** A connection as it is stored: without its key. */
export type StoredConnection =
  | { readonly type: 'demo' | 'builtIn' }
  | { readonly type: 'server'; readonly url: string; readonly modelId: string; readonly needsKey: boolean }
  | { readonly type: CloudName; readonly modelId: string; readonly route: 'direct' | 'proxy' }

/** The part of a connection that may be stored. */
export function toStored(connection: Connection): StoredConnection {
  switch (connection.type) {
    case 'demo':
    case 'builtIn':
      return { type: connection.type }
    case 'server': {
      const { type, url, modelId, key } = connection
      return { type, url, modelId, needsKey: key !== undefined }
    }
    default: {
      const { type, modelId, route } = connection
      return { type, modelId, route }
    }
  }
}

/** A stored connection that is used again. */
export interface Restored {
  readonly connection: Connection
  /** True if its key is missing: the user must enter it again before the model can be called. */
  readonly lacksKey: boolean
}

/** Returns the connection of a record, with the key that the page has for the same server, if any. */
export function fromStored(stored: StoredConnection, keys: Keyring): Restored {
  const key = own(keys, nameOfKey(stored) ?? '')
  switch (stored.type) {
    case 'demo':
    case 'builtIn':
      return { connection: stored, lacksKey: false }
    case 'server': {
      const { type, url, modelId, needsKey } = stored
      if (!needsKey) return { connection: { type, url, modelId }, lacksKey: false }
      return { connection: { type, url, modelId, key: key ?? noKey }, lacksKey: key === undefined }
    }
    default:
      return { connection: { ...stored, key: key ?? noKey }, lacksKey: key === undefined }
  }
}

const noKey: Secret = secret('')
