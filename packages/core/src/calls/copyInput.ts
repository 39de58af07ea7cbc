import { isPlain } from '../json.ts'

/** Copies an input for code that may change it. Class instances are passed on, and shared members copied once. */
export function copyInput(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return isFlat(value) ? { ...value } : copyObject(value, new Map(), 0)
}

/** Returns true for an object whose members are all primitive. */
function isFlat(value: object): boolean {
  if (Object.getPrototypeOf(value) !== Object.prototype) return false
  for (const key in value) {
    const member: unknown = (value as Record<string, unknown>)[key]
    if (typeof member === 'object' && member !== null) return false
  }
  return true
}

function copyObject(value: object, copies: Map<object, object>, depth: number): object {
  const known = copies.get(value)
  if (known || depth > maxDepth) return known ?? value
  const copy = shallowCopy(value)
  copies.set(value, copy)
  if (copy === value || !(Array.isArray(copy) || isPlain(copy))) return copy
  const members = copy as Record<string, unknown>
  for (const key of Object.keys(members)) {
    const member = members[key]
    if (typeof member === 'object' && member !== null) members[key] = copyObject(member, copies, depth + 1)
  }
  return copy
}

function shallowCopy(value: object): object {
  if (Array.isArray(value)) return value.slice()
  if (value instanceof Date) return new Date(value)
  if (value instanceof Uint8Array) return value.slice()
  return isPlain(value) ? Object.assign(Object.create(Object.getPrototypeOf(value)), value) : value
}

const maxDepth = 64
