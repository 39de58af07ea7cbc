import type { Agent } from '../run.ts'

export const isAgent = (node: unknown): node is Agent =>
  typeof node === 'object' && node !== null && 'backend' in node && typeof node.backend === 'function'
