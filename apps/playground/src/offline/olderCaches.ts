/** The caches of the page, one for each version of it. */
export interface Versions {
  /** The names of all caches there are. */
  readonly names: readonly string[]
  /** The prefix of the page's own caches. */
  readonly prefix: string
  /** The cache of this version. */
  readonly own: string
  /** The windows that are open. */
  readonly open: readonly string[]
  /** The windows that were opened by this version. */
  readonly opened: ReadonlySet<string>
}

/** The caches that no window needs. A page fetches parts of its own version as it goes, so they stay while a window of another one lives. */
export const olderCaches = ({ names, prefix, own, open, opened }: Versions): readonly string[] =>
  open.every((client) => opened.has(client)) ? names.filter((name) => name.startsWith(prefix) && name !== own) : []
