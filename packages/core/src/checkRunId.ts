import { demand } from './options.ts'

/** The length of an id, child runs included. */
const maxId = 2_000
export const isId = (value: string): boolean => value !== '' && value.length <= maxId && !/\p{Surrogate}/u.test(value)

/**
 * Throws if a string cannot be the id of a run, which may become an address and a file name: it must not be empty,
 * ill-formed Unicode, or too long.
 */
export function checkRunId(id: unknown): asserts id is string {
  checkKey(id)
  demand(
    isId(id),
    `The \`id\` of a run must be well-formed Unicode of at most ${maxId} characters. Use another, such as crypto.randomUUID().`,
  )
}

/** Asserts that a journal can find and delete this id. Also accepts ids of runs from older versions. */
export function checkKey(id: unknown): asserts id is string {
  const given = typeof id === 'string' ? 'an empty text' : Array.isArray(id) ? 'a list' : `a value of type ${typeof id}`
  demand(typeof id === 'string' && id !== '', `The id of a run is a text that is not empty, and this is ${given}.`)
}
