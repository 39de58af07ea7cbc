import { pollutes } from '@interleave/core/internal'
import { formatPath, type Path } from './problem.ts'
import type { Placed } from './toProblems.ts'

export const maxDepth = 64
export const tooDeep: string = `This is nested deeper than ${maxDepth} levels.`
/** Far beyond any config. What refers to itself has no end. */
const maxValues = 100_000
/** Further ones would tell nothing new. */
const maxProblems = 50

/** Returns the parts of the data that JSON cannot express, or that would be dangerous to pass on. */
export function notPlain(value: unknown): readonly Placed[] {
  const problems: Placed[] = []
  let seen = 0
  const visit = (inner: unknown, at: Path): void => {
    const message = seen++ === maxValues ? `This holds more than ${maxValues} values.` : faultOf(inner, at)
    if (message !== undefined) problems.push({ at, path: formatPath(at), message })
    if (message !== undefined) return
    for (const [key, member] of membersOf(inner)) {
      if (seen > maxValues || problems.length === maxProblems) return
      visit(member, [...at, key])
    }
  }
  visit(value, [])
  return problems
}

function membersOf(value: unknown): readonly (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return [...value.entries()]
  if (typeof value !== 'object' || value === null) return []
  // A field that is undefined is left out, as in JSON.
  return Object.entries(value).filter(([, member]) => member !== undefined)
}

function faultOf(value: unknown, at: Path): string | undefined {
  if (at.length > maxDepth) return tooDeep
  if (at.at(-1) === '__proto__') return 'A key "__proto__" is refused: it would change a prototype.'
  if (typeof value === 'object' && value !== null && !Object.hasOwn(value, '__proto__') && pollutes(value))
    return 'A "constructor" with a "prototype" is refused: it would change a prototype.'
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `JSON has no number ${value}.`
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Array.isArray(value))
    return undefined
  const prototype: unknown = typeof value === 'object' ? Object.getPrototypeOf(value) : undefined
  if (typeof value === 'object' && (prototype === Object.prototype || prototype === null)) return undefined
  return `This is no plain data (${typeof value}). A config only names functions and models; the registry holds them.`
}
