import type { HandlerLimits } from '@interleave/server'

/** For each visitor. Everybody may come, so they are lower than usual. */
export const limits: Partial<HandlerLimits> = { requests: 300, runs: 5, streams: 10 }
