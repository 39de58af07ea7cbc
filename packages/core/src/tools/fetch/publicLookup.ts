import { AgentError } from '../../error.ts'
import { isPublicAddress } from './isPublicAddress.ts'

/** Finds the addresses of a host, as `lookup` of `node:dns` does. */
export type Lookup = (hostname: string, options: object, callback: LookupCallback) => void
type LookupCallback = (error: Error | null, address: string | Found[], family?: number) => void
interface Found {
  readonly address: string
  readonly family: number
}

/**
 * A lookup for connections of Node, Deno and Bun that finds public addresses only. It is asked when the connection is made, so that a name
 * which leads elsewhere by then, after it was looked at, leads nowhere.
 *
 * @example
 * const agent = new Agent({ connect: { lookup: publicLookup(lookup) } })
 * fetchTool({ allow: ['https://docs.example.com'], fetch: (url, init) => fetch(url, { ...init, dispatcher: agent }) })
 */
export const publicLookup =
  (lookup: Lookup): Lookup =>
  (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address)
      if (error || addresses.every(isPublicAddress)) return callback(error, found, family)
      callback(
        new AgentError('not_allowed', 'The host leads to a private network.'),
        typeof found === 'string' ? '' : [],
      )
    })
