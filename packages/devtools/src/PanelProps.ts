import type { Event, Run } from '@interleave/core'
import type { ReactNode } from 'react'

/** What every part of the devtools is given. */
export interface PanelProps {
  readonly run: Run | undefined
  /** The `seq` of the event that is looked into: keep it in your address, and links lead to it. */
  readonly selected?: number | undefined
  readonly onSelect?: ((seq: number | undefined) => void) | undefined
}

/** Buttons of your own beside an event, such as one that makes a new run from there. */
export type EventActions = (event: Event) => ReactNode
