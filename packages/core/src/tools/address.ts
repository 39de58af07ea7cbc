import { checkArgument } from '#checks'
import { AgentError } from '../error.ts'

/** The addresses that a tool may connect to. */
export interface Targets {
  /** The allowed origins, or the whole public network. */
  readonly allow: ReadonlySet<string> | 'public'
  /** Returns the current addresses of a host. */
  readonly resolve?: ((hostname: string) => readonly string[] | PromiseLike<readonly string[]>) | undefined
}

/** Returns the address if it may be connected to. Throws `not_allowed`, and reveals nothing of what is there. */
export async function checkTarget(text: string, { allow, resolve }: Targets, base?: URL): Promise<URL> {
  if (!URL.canParse(text, base))
    throw refused('This is not an address. Give a whole one, such as https://example.com/page.')
  const url = new URL(text, base)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused('Only http and https can be fetched.')
  if (url.username !== '' || url.password !== '') throw refused('Remove the name and the password from the address.')
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
export const refused = (message: string): AgentError => new AgentError('not_allowed', message)

/** Returns true if a host, as `URL` returns it, has the name of this machine or a local network. */
function isLocalHost(hostname: string): boolean {
  if (hostname.startsWith('[') || /^[\d.]+$/.test(hostname)) return !isPublicAddress(hostname)
  const labels = hostname.replace(/^(.*[^.])?\.*$/s, '$1').split('.')
  return labels.length < 2 || local.has(labels.at(-1) ?? '') || hostname.endsWith('.home.arpa')
}

/** The last parts of names that do not exist in the public network. */
const local: ReadonlySet<string> = new Set([
  'localhost',
  'local',
  'localdomain',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'onion',
  'test',
  'invalid',
])

/** Returns true if an IP address is public. Mapped, translated and tunnelled addresses are not. */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  const four = numberOf(plain)
  if (four !== undefined) return !closed4.some(([start, bits]) => isBelow(four, start, bits))
  const groups = groupsOf(plain)
  if (!groups) return false
  // 2000::/3 is all that is assigned. A few ranges in it lead elsewhere.
  const [first = 0, second = 0] = groups
  return first >> 13 === 1 && !closed6.some((fits) => fits(first, second))
}

const closed4: readonly (readonly [start: number, bits: number])[] = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
].map((range) => {
  const [start = '', bits] = range.split('/')
  return [numberOf(start) ?? 0, Number(bits)]
})

const closed6: readonly ((first: number, second: number) => boolean)[] = [
  // Special purposes, Teredo and ORCHID among them.
  (first, second) => first === 0x2001 && second < 0x200,
  // Documentation.
  (first, second) => first === 0x2001 && second === 0xdb8,
  (first, second) => first === 0x3fff && second < 0x1000,
  // 6to4 contains an address of version 4.
  (first) => first === 0x2002,
]

function isBelow(address: number, start: number, bits: number): boolean {
  const size = 2 ** (32 - bits)
  return Math.floor(address / size) === Math.floor(start / size)
}

/** Parses four decimal numbers. `URL` has already normalized other notations. */
function numberOf(text: string): number | undefined {
  if (!/^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/.test(text)) return undefined
  const parts = text.split('.').map(Number)
  return parts.some((part) => part > 255) ? undefined : parts.reduce((sum, part) => sum * 256 + part, 0)
}

/** Parses the eight numbers of an address of version 6. One with a zone, of a local network, has none here. */
function groupsOf(text: string): readonly number[] | undefined {
  const [head = '', tail, ...more] = withHexEnd(text).split('::')
  if (more.length > 0) return undefined
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const missing = 8 - before.length - after.length
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  const groups = [...before, ...Array<string>(missing).fill('0'), ...after]
  const isWhole = groups.every((group) => /^[0-9a-f]{1,4}$/.test(group))
  return isWhole ? groups.map((group) => Number.parseInt(group, 16)) : undefined
}

/** Converts the last two groups, which may be written as an address of version 4. */
function withHexEnd(text: string): string {
  const at = text.lastIndexOf(':') + 1
  const four = at > 0 ? numberOf(text.slice(at)) : undefined
  if (four === undefined) return text
  return `${text.slice(0, at)}${Math.floor(four / 65_536).toString(16)}:${(four % 65_536).toString(16)}`
}

/** Finds the addresses of a host, as `lookup` of `node:dns` does. */
type Lookup = (hostname: string, options: object, callback: LookupCallback) => void
type LookupCallback = (
  error: Error | null,
  address: string | { address: string; family: number }[],
  family?: number,
) => void

/**
 * Creates a lookup for connections of Node, Deno and Bun that finds only public addresses. It runs when the connection
 * is made, so a name that changed its address since the check is not reached.
 *
 * @example
 * import { lookup } from 'node:dns'
 * import { Agent, fetch } from 'undici'
 *
 * const agent = new Agent({ connect: { lookup: publicLookup(lookup) } })
 * fetchTool({ allow: ['https://docs.example.com'], fetch: (url, init) => fetch(url, { ...init, dispatcher: agent }) })
 */
export function publicLookup(lookup: Lookup): Lookup {
  checkArgument(lookup, 'argument of publicLookup()', 'a function')
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address)
      if (error || addresses.every(isPublicAddress)) return callback(error, found, family)
      callback(refused('The host leads to a private network.'), typeof found === 'string' ? '' : [])
    })
}
