import type { ObjectContext } from '@restatedev/restate-sdk/fetch'
import type { Asked, StartCommand, Told } from './asked.ts'

/** The beginning of a run. */
export interface Starting extends Asked {
  readonly command: StartCommand
}

/** The handlers that run the run, here or in another object. */
export type WorkingHandlers = {
  start(ctx: ObjectContext, starting: Starting): Promise<Told>
  /** `tries`: how often there was no room for what it asks. */
  work(ctx: ObjectContext, tries?: number): Promise<void>
}
