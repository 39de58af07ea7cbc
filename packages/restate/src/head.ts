import type { Event } from '@interleave/core'
import { noSummary, summarize } from '@interleave/core/internal'
import type { RunSummary } from '@interleave/core/journal'
import type { Page } from './pagesObject.ts'

/** All that is needed to write to a log, in one small value: the earlier events are in pages elsewhere. */
export interface Head {
  readonly length: number
  /** That of the latest claim. It is kept when the log is deleted, so that no later claim has it again. */
  readonly epoch: number
  /** Where each page begins. */
  readonly pages: readonly number[]
  /** The events after the last page. */
  readonly tail: readonly Event[]
  readonly summary: RunSummary
  /** The id of the latest append, which may be repeated for lack of a response. */
  readonly last?: string
  /** The invocation that the run works in. */
  readonly worksIn?: string
}

export const noHead: Head = { length: 0, epoch: 0, pages: [], tail: [], summary: noSummary }

/** A page is closed when its JSON has so many characters. */
const pageChars = 16_384

export interface Grown {
  readonly head: Head
  /** The events that exceed the head. */
  readonly page?: Page
}

/** Returns the data to store when a log continues with these events. */
export function grow(head: Head, events: readonly Event[]): Grown {
  const tail = [...head.tail, ...events]
  const begin = head.length - head.tail.length
  const isFull = JSON.stringify(tail).length > pageChars
  return {
    head: {
      ...head,
      length: head.length + events.length,
      pages: isFull ? [...head.pages, begin] : head.pages,
      tail: isFull ? [] : tail,
      summary: summarize(head.length > 0 ? head.summary : noSummary, events),
    },
    ...(isFull && { page: { from: begin, events: tail } }),
  }
}
