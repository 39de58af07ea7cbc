import { demand } from './demand.ts'
import { isId, maxId } from './shape.ts'

/**
 * Any string may be the id of a run that can be an address and the name of a file: not empty, well-formed Unicode, and not too long.
 * Says so where it is given, before it is looked for in a journal.
 */
export function checkRunId(id: unknown): asserts id is string {
  checkKey(id)
  demand(
    isId(id),
    `The \`id\` of a run must be well-formed Unicode of at most ${maxId} characters. Use another, such as crypto.randomUUID().`,
  )
}

/** What a journal can look for, and delete: also ids of runs that an older version kept. */
export function checkKey(id: unknown): asserts id is string {
  const given = typeof id === 'string' ? 'an empty text' : Array.isArray(id) ? 'a list' : `a value of type ${typeof id}`
  demand(typeof id === 'string' && id !== '', `The id of a run is a text that is not empty, and this is ${given}.`)
}
