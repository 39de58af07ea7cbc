import type { RunState } from './state.ts'

/** A step's note about one user request, identified by the `seq` of its message. */
export interface RequestNote {
  readonly request: number
}

/** Returns a note if it is about the latest request, since each request starts without notes. */
export const ofRequest = <Note extends RequestNote>(note: Note | undefined, { request }: RunState): Note | undefined =>
  note?.request === request.seq ? note : undefined
