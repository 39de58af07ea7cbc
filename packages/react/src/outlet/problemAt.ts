import { type Context, createContext, useContext } from 'react'
import { type FieldPlace, labelOf } from './fieldKind.ts'

/** What is wrong with the latest reply, in words; empty if nothing is. */
export const ProblemContext: Context<string> = createContext('')

/** What of it is about this field. */
export const useProblemAt = (place: FieldPlace): string | undefined => problemAt(useContext(ProblemContext), place)

/** Complaints name the field that they are about first, by its place in the value or by its label: `contact.email: Invalid`. */
function problemAt(problem: string, { at, ...place }: FieldPlace): string | undefined {
  if (!problem || (!at && place.path === '')) return undefined
  for (const name of [at, labelOf(place)]) {
    const complaint = name && problem.split('; ').find((part) => part.startsWith(`${name}: `))
    if (complaint) return complaint.slice(`${name}: `.length)
  }
  return undefined
}
