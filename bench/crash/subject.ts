import type { Told } from './programs/call.ts'

/** A program on a host, which the trials kill. */
export interface Subject {
  readonly name: string
  readonly kind: 'own' | 'control' | 'peer'
  /** Its configuration, for the readers of the figures. */
  readonly setup: string
  /** The program, from the root of the repository. */
  readonly program: string
  open(place: Place): Promise<OpenedSubject>
}

export interface Place {
  /** The address of the world. */
  readonly world: string
  /** The number of trials at once. */
  readonly lanes: number
}

export interface OpenedSubject {
  readonly begin: Begin
  /** Where the run is stored, if the program has to know. */
  readonly storeOf?: (run: string) => string
  close(): Promise<void>
}

/** A process, a page, or a client of one, in which a program runs. */
export interface Life {
  /** Ends it in the middle of its work. When this resolves, nothing of it runs. */
  kill(): Promise<void>
  /** Rejects if it ends with an error. */
  readonly failed: Promise<never>
}

/** Starts the program of a trial, or starts it again after its death. */
export type Begin = (told: Told) => Promise<Life>
