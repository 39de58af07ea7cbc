/** What the parts of this host ask each other, besides what a handler is asked. */
export const inner = {
  /** Of a run: a WebSocket that says when there is more to read. */
  bell: '/inner/bell',
  /** Of a run: all of it, as a file. */
  file: '/inner/file',
  /** Of a run: it begins as a fork of one in another object. */
  fork: '/inner/fork',
  /** Of a run: what a list shows of it. */
  summary: '/inner/summary',
  /** Of a person: whether there is room for something. */
  admit: '/inner/admit',
  /** Of a person: a WebSocket that is open for as long as a stream is. */
  stream: '/inner/stream',
  /** Of a person: what a list shows of a run. */
  runs: '/inner/runs',
} as const
