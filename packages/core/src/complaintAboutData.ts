import { pollutes } from './pollutes.ts'

/** Deeper than the output of tools and the replies of users, which are limited to 64 levels. */
const maxDepth = 100
/** Characters of text and numbers of values together. A run of days has a hundredth of it. */
const maxSize = 2 ** 28

const noJson: readonly string[] = ['function', 'symbol', 'bigint']

/** Says what is wrong with data, if it is too large to be looked at, is no JSON, or changes a prototype. */
export function complaintAboutData(data: unknown): string | undefined {
  let size = 0
  const look = (value: unknown, path: string[]): string | undefined => {
    size += typeof value === 'string' ? value.length : 1
    if (size > maxSize) return `it is larger than ${maxSize} characters`
    if (noJson.includes(typeof value)) {
      return `it has a ${typeof value} at "${path.join('.').slice(0, 200)}", which JSON cannot hold`
    }
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return undefined
    if (path.length > maxDepth) return `it is nested deeper than ${maxDepth} levels`
    if (pollutes(value)) return 'it has a key that would change a prototype'
    for (const key of Object.keys(value)) {
      path.push(key)
      const complaint = look((value as Record<string, unknown>)[key], path)
      if (complaint) return complaint
      path.pop()
    }
    return undefined
  }
  return look(data, [])
}
