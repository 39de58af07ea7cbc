/** Whether an object has a member that changes a prototype where somebody merges it into another object. */
export function pollutes(value: object): boolean {
  if (Object.hasOwn(value, '__proto__')) return true
  const inner: unknown = Object.hasOwn(value, 'constructor') ? value.constructor : undefined
  return typeof inner === 'object' && inner !== null && Object.hasOwn(inner, 'prototype')
}
