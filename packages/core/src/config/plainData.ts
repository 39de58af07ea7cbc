import { formatPath, type Path } from './problem.ts'
import type { Placed } from './toProblems.ts'

const maxDepth = 64

/** What is in the data that no JSON text could say, or that would be dangerous to pass on. */
export function notPlain(value: unknown, at: Path = []): readonly Placed[] {
  const wrong = faultOf(value, at)
  if (wrong) return [{ at, path: formatPath(at), message: wrong }]
  if (Array.isArray(value)) return value.flatMap((item, index) => notPlain(item, [...at, index]))
  if (typeof value !== 'object' || value === null) return []
  // A field that is undefined is left out, as in JSON.
  const fields = Object.entries(value).filter(([, member]) => member !== undefined)
  return fields.flatMap(([key, member]) => notPlain(member, [...at, key]))
}

function faultOf(value: unknown, at: Path): string | undefined {
  if (at.length > maxDepth) return `This is nested deeper than ${maxDepth} levels.`
  if (at.at(-1) === '__proto__') return 'A key "__proto__" is refused: it would change a prototype.'
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${value} is no number that JSON knows.`
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Array.isArray(value))
    return undefined
  const prototype: unknown = typeof value === 'object' ? Object.getPrototypeOf(value) : undefined
  if (typeof value === 'object' && (prototype === Object.prototype || prototype === null)) return undefined
  return `This is no plain data (${typeof value}). A config only names functions and models; the registry holds them.`
}
