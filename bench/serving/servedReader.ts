/** A reader of a server, until nothing more comes. */
export interface ServedReader {
  /** The kept events of a run. */
  readLog(runId: string): Promise<Read>
  /** A text as it streams, as fast as it goes. */
  readDeltas(prompt: string, onDelta: (text: string) => void): Promise<Read>
  /** A text that streams slowly, and says what time it is. */
  readPaced(onDelta: (text: string) => void): Promise<Read>
}

export interface Read {
  readonly events: number
  /** Of all streams that it took. */
  readonly bytes: number
}
