import { type Host, localHost } from '@interleave/core'

/**
 * A host on which waits of some seconds are shorter, such as those until a page counts as gone. Tools may take their
 * time.
 */
export const quickHost: Host = {
  ...localHost,
  timer: (ms, callback) => localHost.timer(ms >= 2_000 && ms <= 10_000 ? ms / 5 : ms, callback),
}
