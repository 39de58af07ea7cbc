/** Returns true if merging the object into another one would change a prototype. */
export function pollutes(value: object): boolean {
  if (Object.hasOwn(value, '__proto__')) return true
  const inner: unknown = Object.hasOwn(value, 'constructor') ? value.constructor : undefined
  return typeof inner === 'object' && inner !== null && Object.hasOwn(inner, 'prototype')
}
