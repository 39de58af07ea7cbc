import { demand } from './demand.ts'

/** Any text may be the id of a run, but for the empty one. Says so where it is given, before it is looked for in a journal. */
export function checkRunId(id: unknown): asserts id is string {
  const given = typeof id === 'string' ? 'an empty text' : Array.isArray(id) ? 'a list' : `a value of type ${typeof id}`
  demand(typeof id === 'string' && id !== '', `The id of a run is a text that is not empty, and this is ${given}.`)
}
