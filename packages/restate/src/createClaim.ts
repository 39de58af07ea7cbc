import type { Host } from '@interleave/core'

/** That a run is ours. Somebody else may have gone on with it since we last heard so. */
export interface Claim {
  /** Whether it is long ago that anybody said so. Asked once, and the next time only after as long again. */
  isStale(): boolean
  /** So it was when this was asked for, and not when it is heard. */
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
