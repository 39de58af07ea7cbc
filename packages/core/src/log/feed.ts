import { allChanges, fold } from '../changes/all.ts'
import type { Run } from '../run.ts'
import type { RunState } from '../state.ts'
import { Events } from './log.ts'

/** The events of one run that executes elsewhere. Those that its host discards are taken back. */
export class Feed extends Events {
  constructor(past: Pick<Run, 'state' | 'log'>) {
    super(past, allChanges)
  }

  /** Discards all but the first `to` events. The correct events follow. `state` is their fold, if it is known. */
  rewind(to: number, state?: RunState): void {
    this.log.length = to
    this.publish({ type: 'rewound', to }, state ?? fold(this.log))
  }
}
