import type { Host } from '@interleave/core'

/** Our ownership of a run. Another owner may have taken over since it was last confirmed. */
export interface Claim {
  /** Returns true if the last confirmation is old. The next check is due after the same time again. */
  isStale(): boolean
  /** Renews the claim as of the time of the request, not of the response. */
  renew(askedAt: number): void
}

/** Milliseconds for which it is good without another look. */
const goodMs = 1_000

export function createClaim(host: Pick<Host, 'now'>): Claim {
  let claimedAt = host.now()
  return {
    isStale() {
      const stale = host.now() - claimedAt >= goodMs
      if (stale) claimedAt = host.now()
      return stale
    },
    renew(askedAt) {
      claimedAt = askedAt
    },
  }
}
