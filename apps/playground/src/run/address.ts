/** The view of the page that its address names. */
export type Address = NewRun | RunAddress | ComparisonAddress

interface NewRun {
  readonly type: 'new'
}
export interface RunAddress {
  readonly type: 'run'
  readonly runId: string
  /** The `seq` of the event that is looked at closely. */
  readonly event?: number | undefined
  /** The `seq` of the event after which the run is shown as it was. */
  readonly at?: number | undefined
}
export interface ComparisonAddress extends ComparedRuns {
  readonly type: 'comparison'
}
/** Two runs side by side, by their ids. */
export interface ComparedRuns {
  readonly a: string
  readonly b: string
}

/** A link that leads there in this browser; empty for a new run. */
export function linkTo(address: Address): string {
  switch (address.type) {
    case 'new':
      return ''
    case 'run': {
      const { runId, event, at } = address
      const place = at !== undefined ? `/at/${at}` : event !== undefined ? `/events/${event}` : ''
      return `#/runs/${encoded(runId)}${place}`
    }
    case 'comparison':
      return `#/compare/${encoded(address.a)}/${encoded(address.b)}`
  }
}

/** A link that opens a run of this browser, or a place of it. */
export const runLink = (runId: string, place: Pick<RunAddress, 'event' | 'at'> = {}): string =>
  linkTo({ type: 'run', runId, ...place })

/** Returns the view that a hash leads to. An unknown one leads to a new run. */
export function readAddress(hash: string): Address {
  const [section, ...names] = hash.replace(/^#\//, '').split('/').map(decoded)
  const [first, second, third] = names
  if (first && section === 'runs') return { type: 'run', runId: first, ...placeOf(second, third) }
  if (first && second && section === 'compare') return { type: 'comparison', a: first, b: second }
  return { type: 'new' }
}

function placeOf(kind: string | undefined, place: string | undefined): Pick<RunAddress, 'event' | 'at'> {
  const seq = place !== undefined && /^\d{1,9}$/.test(place) ? Number(place) : undefined
  if (seq === undefined) return {}
  return kind === 'at' ? { at: seq } : kind === 'events' ? { event: seq } : {}
}

/** An address with an id that is not well-formed leads to no run. */
const encoded = (id: string): string => encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\ufffd'))

/** Decodes a part of an address; one that is not well-formed is empty. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
