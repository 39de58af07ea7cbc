/**
 * The shapes of secrets. If only a part of a match is secret, the group `secret` names it. The group `passed` is a run of characters
 * that holds no secret: a match consumes it, so that the search never reads the same run again from a later character.
 */
export interface SecretPattern {
  readonly kind: string
  readonly pattern: RegExp
}

const tokenName =
  'api[-_]?key|apikey|key|(?:access|refresh|id|auth|session|security)[-_]?token|token|auth|sig|signature'
const secretName = 'client[-_]?secret|secret|password|passwd|pwd|passphrase'

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
