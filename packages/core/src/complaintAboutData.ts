import { pollutes } from './pollutes.ts'

/** Deeper than what tools and people give can be, since that is cut off at 64 levels. */
const maxDepth = 100
/** Characters of text and numbers of values together. A run of days has a hundredth of it. */
const maxSize = 2 ** 28

/** Whether data is small enough to be looked at, and nothing in it changes a prototype. Says what is wrong, if something is. */
export function complaintAboutData(data: unknown): string | undefined {
  let size = 0
  const look = (value: unknown, depth: number): string | undefined => {
    size += typeof value === 'string' ? value.length : 1
    if (size > maxSize) return `it is larger than ${maxSize} characters`
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return undefined
    if (depth > maxDepth) return `it is nested deeper than ${maxDepth} levels`
    if (pollutes(value)) return 'it has a key that would change a prototype'
    for (const member of Object.values(value)) {
      const complaint = look(member, depth + 1)
      if (complaint) return complaint
    }
    return undefined
  }
  return look(data, 0)
}
