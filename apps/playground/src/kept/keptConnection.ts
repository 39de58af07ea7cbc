import type { CloudName, Connection, Secret } from '../models/index.ts'
import { secret } from '../models/index.ts'

/** A connection as it is written down: without its key. */
export type KeptConnection =
  | { readonly type: 'demo' }
  | { readonly type: 'server'; readonly url: string; readonly modelId: string; readonly needsKey: boolean }
  | { readonly type: CloudName; readonly modelId: string; readonly route: 'direct' | 'proxy' }

/** What of a connection may be written down. */
export function toKept(connection: Connection): KeptConnection {
  switch (connection.type) {
    case 'demo':
      return { type: 'demo' }
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

/** A connection to use again. */
export interface Restored {
  readonly connection: Connection
  /** Its key is not there: somebody has to give it again before the model can be asked. */
  readonly lacksKey: boolean
}

/** The connection of a record, with the key that the page was given for the same place, if it was. */
export function fromKept(kept: KeptConnection, given: Connection): Restored {
  switch (kept.type) {
    case 'demo':
      return { connection: kept, lacksKey: false }
    case 'server': {
      const { type, url, modelId, needsKey } = kept
      if (!needsKey) return { connection: { type, url, modelId }, lacksKey: false }
      const key = given.type === 'server' && given.url === url ? given.key : undefined
      return { connection: { type, url, modelId, key: key ?? noKey }, lacksKey: key === undefined }
    }
    default: {
      const key = given.type === kept.type ? given.key : undefined
      return { connection: { ...kept, key: key ?? noKey }, lacksKey: key === undefined }
    }
  }
}

const noKey: Secret = secret('')
