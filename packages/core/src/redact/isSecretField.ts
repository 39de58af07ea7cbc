import type { Json } from '../json.ts'

const names =
  /^(?:token|pwd|passwd|passphrase|pin|otp|cvv|cvc|(?:proxy)?authorization|(?:set)?cookies?|credentials?|sessionid|sid)$/
const endings =
  /(?:password|passwd|passphrase|secret|secretkey|apikey|accesskey|accesskeyid|privatekey|signingkey|authtoken|accesstoken|refreshtoken|idtoken|sessiontoken|bearertoken|apitoken|csrftoken)$/
const tokens = /token$/
/** Matches names of page cursors, which are not secrets. */
const places = /(?:next|page|continuation|cursor|sync|stop|start|end|pad)token$/

/** Returns true if a member of this name holds a secret, judged by the name alone. */
export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[-_\s.]/g, '')
  return names.test(plain) || endings.test(plain) || (tokens.test(plain) && !places.test(plain))
}

/** Names of members that a JSON Schema marks: `format: 'password'`, `writeOnly`, `sensitive` or `x-sensitive`. */
export function markedNames(schema: unknown, found: Set<string> = new Set()): ReadonlySet<string> {
  if (typeof schema !== 'object' || schema === null) return found
  const { properties } = schema as { properties?: unknown }
  if (typeof properties === 'object' && properties !== null)
    for (const [name, member] of Object.entries(properties)) if (isMarked(member)) found.add(name)
  for (const member of Object.values(schema)) markedNames(member, found)
  return found
}

function isMarked(schema: unknown): boolean {
  const { format, writeOnly, sensitive, 'x-sensitive': marked } = Object(schema) as Readonly<Record<string, Json>>
  return format === 'password' || writeOnly === true || sensitive === true || marked === true
}
