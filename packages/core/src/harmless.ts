import { complaintAboutData } from './complaintAboutData.ts'
import { pollutes } from './pollutes.ts'

/** Less deep than what is refused, for it stands in something. */
const maxDepth = 64

/** Data of a provider as it may stand in a log: without keys that would change a prototype, and cut off where it is too deep. */
export function harmless<T>(data: T): T {
  return complaintAboutData(data) === undefined ? data : (cut(data, 0) as T)
}

function cut(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > maxDepth) return null
  if (Array.isArray(value)) return value.map((member) => cut(member, depth + 1))
  const isSafe = !pollutes(value)
  const members = Object.entries(value).filter(([key]) => isSafe || (key !== '__proto__' && key !== 'constructor'))
  return Object.fromEntries(members.map(([key, member]) => [key, cut(member, depth + 1)]))
}
