import type { Journal } from '@interleave/core/journal'

/** A journal, or what opens it. */
export type JournalSource = Journal | (() => Journal | PromiseLike<Journal>)
