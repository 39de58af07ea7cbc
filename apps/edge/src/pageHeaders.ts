import { contentPolicyHeader } from '../../playground/src/safety/contentPolicy.ts'

/** What the files of the page are sent with, in the words of Cloudflare's `_headers`. */
export const pageHeaders = (): string => `/*
  Content-Security-Policy: ${contentPolicyHeader()}
  Referrer-Policy: no-referrer
  X-Content-Type-Options: nosniff
  Cross-Origin-Opener-Policy: same-origin
/assets/*
  Cache-Control: public, max-age=31536000, immutable
`
