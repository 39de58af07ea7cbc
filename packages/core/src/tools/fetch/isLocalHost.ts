import { isPublicAddress } from './isPublicAddress.ts'

/** Returns true if a host, as `URL` returns it, has the name of this machine or a local network. */
export function isLocalHost(hostname: string): boolean {
  if (hostname.startsWith('[') || /^[\d.]+$/.test(hostname)) return !isPublicAddress(hostname)
  const labels = hostname.replace(/^(.*[^.])?\.*$/s, '$1').split('.')
  return labels.length < 2 || local.has(labels.at(-1) ?? '') || hostname.endsWith('.home.arpa')
}

/** Last parts of names that the public network does not have. */
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
