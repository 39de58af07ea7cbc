import { type Context, createContext, useContext } from 'react'
import { type FieldPlace, labelOf } from './fieldKind.ts'

/** The error of the latest reply; empty if there is none. */
export const ProblemContext: Context<string> = createContext('')

/** Returns the part of the error that concerns this field. */
export const useProblemAt = (place: FieldPlace): string | undefined => problemAt(useContext(ProblemContext), place)

/**
 * Returns the error of a field. Errors begin with the field's path in the value, or its label:
 * `contact.email: Invalid`.
 */
function problemAt(problem: string, { at, ...place }: FieldPlace): string | undefined {
  if (!problem || (!at && place.path === '')) return undefined
  for (const name of [at, labelOf(place)]) {
    const complaint = name && problem.split('; ').find((part) => part.startsWith(`${name}: `))
    if (complaint) return complaint.slice(`${name}: `.length)
  }
  return undefined
}
