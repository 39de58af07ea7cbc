import type { Json } from '../json.ts'

/**
 * The shapes of secrets. If only a part of a match is secret, the group `secret` names it. The group `passed` is a run of characters
 * that holds no secret: a match consumes it, so that the search never reads the same run again from a later character.
 */
interface SecretPattern {
  readonly kind: string
  readonly pattern: RegExp
}

const tokenName =
  'api[-_]?key|apikey|key|(?:access|refresh|id|auth|session|security)[-_]?token|token|auth|sig|signature'
const secretName = '(?:client[-_]?secret|secret|password|passwd|pwd|passphrase)s?'

export const secretPatterns: readonly SecretPattern[] = [
  {
    kind: 'private key',
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  },
  { kind: 'API key', pattern: /\b(?:sk|gsk|xai|pplx|rk)[-_](?:(?=[A-Za-z_-]*\d)[\w-]{16,}|(?<passed>[\w-]*))/g },
  { kind: 'Google API key', pattern: /\bAIza[\w-]{30,}/g },
  { kind: 'GitHub token', pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{22,})/g },
  { kind: 'GitLab token', pattern: /\bglpat-[\w-]{16,}/g },
  { kind: 'AWS key', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { kind: 'Slack token', pattern: /\bxox[abeoprs]-[\w-]{10,}/g },
  { kind: 'npm token', pattern: /\bnpm_[A-Za-z0-9]{30,}/g },
  { kind: 'Hugging Face token', pattern: /\bhf_[A-Za-z0-9]{30,}/g },
  { kind: 'SendGrid key', pattern: /\bSG\.[\w-]{16,}\.[\w-]{16,}/g },
  { kind: 'web token', pattern: /\beyJ(?:[\w-]{6,}\.[\w-]{6,}\.[\w-]*|(?<passed>[\w-]*))/g },
  { kind: 'bearer token', pattern: /\bBearer\s+(?=[^\s"']{0,500}\d)(?<secret>[\w.~+/-]{8,}=*)/gi },
  {
    kind: 'basic login',
    pattern: /\bBasic\s+(?=[^\s"']{0,500}(?:[\d=]|[a-z][A-Z]))(?<secret>[A-Za-z0-9+/]{8,}={0,2})/g,
  },
  {
    kind: 'login in an address',
    pattern: /\b[a-z][a-z\d+.-]{1,20}:\/\/(?<secret>[^\s/?#@:"']{0,256}:[^\s/?#@"']{1,256})@/gi,
  },
  {
    kind: 'secret in an address',
    pattern: new RegExp(
      `[?&#;](?:${tokenName}|${secretName}|x-amz-(?:signature|credential|security-token)|x-goog-(?:signature|credential))=(?<secret>[^\\s&#"'<>]{6,})`,
      'gi',
    ),
  },
  {
    kind: 'header',
    pattern:
      /\b(?:x-api-key|x-goog-api-key|x-auth-token|api-key|(?:proxy-)?authorization|(?:set-)?cookie)["']?\s*[:=]\s*["']?(?<secret>(?!\[redacted)[^\r\n"']{6,})/gi,
  },
  {
    kind: 'assigned secret',
    pattern: new RegExp(
      `\\b[\\w.-]{0,40}(?:api[-_]?key|(?:access|refresh|auth|session|secret)[-_]?(?:token|key)|${secretName})["']?\\s*[:=]\\s*["']?(?=[^\\s"']{0,200}[\\d_$!%^*+])(?<secret>(?!\\[redacted)[^\\s"',;}]{6,})`,
      'gi',
    ),
  },
]

const names =
  /^(?:token|pwd|passwd|passphrase|pin|otp|cvv|cvc|(?:proxy)?authorization|(?:set)?cookies?|credentials?|sessionid|sid)$/
const endings =
  /(?:password|passwd|passphrase|secret|secretkey|apikey|accesskey|accesskeyid|privatekey|signingkey|authtoken|accesstoken|refreshtoken|idtoken|sessiontoken|bearertoken|apitoken|csrftoken)s?$/
const tokens = /token$/
/** Matches names of page cursors, which are not secrets. */
const cursors = /(?:next|page|continuation|cursor|sync|stop|start|end|pad)token$/

/** Returns true if a member of this name holds a secret, judged by the name alone. */
export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replaceAll(/[-_\s.]/g, '')
  return names.test(plain) || endings.test(plain) || (tokens.test(plain) && !cursors.test(plain))
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
