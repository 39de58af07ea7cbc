import type { Event, Run } from '@interleave/core'
import type { ReactNode } from 'react'

/** The props of every part of the devtools. */
export interface PanelProps {
  readonly run: Run | undefined
  /** The `seq` of the event that is looked into: keep it in your address, and links lead to it. */
  readonly selected?: number | undefined
  readonly onSelect?: ((seq: number | undefined) => void) | undefined
}

/** Your own buttons for an event, such as one that forks the run there. */
export type EventActions = (event: Event) => ReactNode
