import { type WantedCall, wantedPageOf } from '@interleave/connect/internal'
import type { Event } from '@interleave/core'

/** A call that waits for a page, as the log of its run tells it, or that of a run above it. */
export interface Wanting extends WantedCall {
  /** The question to a user if no page comes. */
  readonly ask: string
  /** The run whose page is wanted. */
  readonly runId: string
}

/** The meaning of an event for pages. */
export interface PageNews {
  readonly wanted?: Wanting
  /** Returns true if this question is answered: no page is needed any more. */
  readonly isMet?: (ask: string) => boolean
  /** Returns true if a page's result for this call is useless by now. */
  readonly isOver?: (call: string) => boolean
}

const any = (): boolean => true
const none: PageNews = {}

export function pageNewsOf(run: string, event: Event): PageNews {
  switch (event.type) {
    case 'noted': {
      const { call: key, value } = event
      if (key === undefined || event.key !== wantedPageOf(key) || typeof value !== 'string') return none
      return anew({ call: `${run}/${key}`, tool: value, ask: askOf(key), runId: run })
    }
    case 'asked': {
      const { id, from } = event.ask
      const [, key, what] = /^(.*)\/(ask\/page|doubt)$/s.exec(id.slice(id.lastIndexOf('>') + 1)) ?? []
      const runId = from?.runId ?? run
      const call = `${runId}/${key}`
      if (what === 'doubt') return { isOver: (other) => other === call }
      const tool = event.ask.kind === 'choice' ? event.ask.pageFor : undefined
      return what === undefined || tool === undefined ? none : anew({ call, tool, ask: id, runId })
    }
    case 'withdrawn':
    case 'replied':
      return { isMet: (ask) => ask === event.ask }
    case 'called':
      return { isMet: (ask) => ask === askOf(event.call) }
    case 'observed': {
      const call = `${run}/${event.call}`
      return {
        isMet: (ask) => ask === askOf(event.call),
        isOver: (other) => other === call || other.startsWith(`${call}/`),
      }
    }
    case 'rested':
      return event.signal.type === 'inputNeeded' ? none : { isMet: any, isOver: any }
    default:
      return none
  }
}

const askOf = (key: string): string => `${key}/ask/page`
/** Starts the call again; results of an earlier start are ignored. */
const anew = (wanted: Wanting): PageNews => ({
  wanted,
  isMet: (ask) => ask === wanted.ask,
  isOver: (call) => call === wanted.call,
})
