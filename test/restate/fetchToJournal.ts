import type { Event } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'

interface Appended {
  readonly events: readonly Event[]
  readonly epoch?: number
}

/** Has a host write to another journal than its own, by which it can be broken from outside. All else goes where it is meant to. */
export function fetchToJournal(journal: Journal): (url: string, init: RequestInit) => Promise<Response> {
  const append = async (runId: string, { events, epoch }: Appended): Promise<object> => {
    const length = (events[0]?.seq ?? 0) + events.length
    try {
      await journal.append(runId, events, { epoch })
      return { length }
    } catch (error) {
      return { length, refused: (error as { code?: string }).code === 'journal_conflict' ? 'length' : error }
    }
  }
  return async (url, init) => {
    const [, runId = '', handler] = /-log\/([^/]+)\/(append|claim)$/.exec(new URL(url).pathname) ?? []
    const body = JSON.parse(String(init.body ?? 'null'))
    if (handler === 'append') return Response.json(await append(decodeURIComponent(runId), body))
    // Each caller becomes the owner of the run.
    if (handler === 'claim' && !journal.claim) return Response.json({ length: body, epoch: 0 })
    return fetch(url, init)
  }
}
