/** The internal routes between the parts of this host, besides the handler's. */
export const inner = {
  /** Of a run: a WebSocket that says when there is more to read. */
  bell: '/inner/bell',
  /** Of a run: all of it, as a file. */
  file: '/inner/file',
  /** Of a run: it begins as a fork of one in another object. */
  fork: '/inner/fork',
  /** Of a run: what a list shows of it. */
  summary: '/inner/summary',
  /** Asks the user object for capacity. */
  admit: '/inner/admit',
  /** A WebSocket to the user object that is open as long as a stream. */
  stream: '/inner/stream',
  /** Sends a run's list entry to the user object. */
  runs: '/inner/runs',
} as const
