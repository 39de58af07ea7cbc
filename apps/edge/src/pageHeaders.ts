import { contentPolicyHeader } from '../../playground/src/safety/contentPolicy.ts'

/** The headers of the page's files, in the words of Cloudflare's `_headers`. */
export const pageHeaders = (): string => `/*
  Content-Security-Policy: ${contentPolicyHeader()}
  Referrer-Policy: no-referrer
  X-Content-Type-Options: nosniff
  Cross-Origin-Opener-Policy: same-origin
/assets/*
  Cache-Control: public, max-age=31536000, immutable
`
