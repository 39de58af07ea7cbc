import { AgentError } from '../../error.ts'
import { isLocalHost } from './isLocalHost.ts'
import { isPublicAddress } from './isPublicAddress.ts'

/** Where a tool may connect to. */
export interface Targets {
  /** Origins, or all of the public network. */
  readonly allow: ReadonlySet<string> | 'public'
  /** The addresses that a host has now. */
  readonly resolve?: ((hostname: string) => readonly string[] | PromiseLike<readonly string[]>) | undefined
}

/** The address as `URL` reads it, if it may be connected to. Throws `not_allowed`, and tells nothing of what is there. */
export async function checkTarget(text: string, { allow, resolve }: Targets, base?: URL): Promise<URL> {
  if (!URL.canParse(text, base))
    throw refused('This is no address. Give a whole one, such as https://example.com/page.')
  const url = new URL(text, base)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused('Only http and https can be fetched.')
  if (url.username !== '' || url.password !== '') throw refused('Leave the name and the password out of the address.')
  if (allow !== 'public') {
    if (!allow.has(url.origin)) throw refused(`Only these can be fetched: ${[...allow].join(', ')}.`)
  } else if (!isUsualPort(url) || isLocalHost(url.hostname)) throw refused(notPublic)
  if (resolve && !isLocalHost(url.hostname)) await checkAddresses(url.hostname, resolve)
  return url
}

/** Validates the addresses of a host. A listed host with a local name may be local; any other must be public. */
async function checkAddresses(hostname: string, resolve: NonNullable<Targets['resolve']>): Promise<void> {
  if (isPublicAddress(hostname)) return
  const addresses = await resolve(hostname)
  if (addresses.length === 0 || !addresses.every(isPublicAddress)) throw refused(notPublic)
}

const isUsualPort = ({ port }: URL): boolean => port === '' || port === '80' || port === '443'
const notPublic = 'Only hosts of the public network can be fetched, at the usual ports.'
const refused = (message: string): AgentError => new AgentError('not_allowed', message)
