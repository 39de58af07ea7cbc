import { linkTo, type RunAddress } from './address.ts'

/** A link that opens a run of this browser, or a place of it. */
export const runLink = (runId: string, place: Pick<RunAddress, 'event' | 'at'> = {}): string =>
  linkTo({ type: 'run', runId, ...place })
