import type { Address } from './address.ts'
import type { PlaygroundState } from './PlaygroundState.ts'

type Shown = Pick<PlaygroundState, 'shown' | 'selectedEvent' | 'travelledTo' | 'compared'>

/** The address of what the page shows. */
export function shownAddress({ shown, selectedEvent, travelledTo, compared }: Shown): Address {
  if (compared) return { type: 'comparison', a: compared.a, b: compared.b }
  if (shown === undefined) return { type: 'new' }
  return { type: 'run', runId: shown, event: selectedEvent, at: travelledTo }
}
