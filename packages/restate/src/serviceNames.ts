/** Virtual objects that hold all of a run, each under the run's id. */
export interface ServiceNames {
  /** The log's length, its owner, its end. */
  readonly log: string
  /** The log's earlier pages. */
  readonly pages: string
  /** Commands that are not carried out yet. */
  readonly inbox: string
  /** Lets the run work: one invocation at a time. */
  readonly work: string
}

export const serviceNames = (name: string): ServiceNames => ({
  log: `${name}-log`,
  pages: `${name}-pages`,
  inbox: `${name}-inbox`,
  work: `${name}-work`,
})
