import type { RunState } from './state.ts'

/** What a step notes about one request of the user, by the `seq` of its message. */
export interface RequestNote {
  readonly request: number
}

/** A note, if it is about the latest request: with each request a step begins anew. */
export const ofRequest = <Note extends RequestNote>(note: Note | undefined, { request }: RunState): Note | undefined =>
  note?.request === request.seq ? note : undefined
