import type { Price } from '@interleave/core'
import { type Connection, secret } from '../models/index.ts'

/** The connection that a filled-in form describes. */
export function connectionFrom(type: Connection['type'], data: FormData): Connection {
  const field = (name: string): string => String(data.get(name) ?? '').trim()
  const key = field('key')
  switch (type) {
    case 'demo':
      return { type }
    case 'server':
      return { type, url: field('url'), modelId: field('modelId'), ...(key && { key: secret(key) }) }
    default:
      return { type, modelId: field('modelId'), key: secret(key), route: data.has('direct') ? 'direct' : 'proxy' }
  }
}

/** What a million tokens cost, if both fields say so. */
export function priceFrom(data: FormData): Price | undefined {
  const [input, output] = ['priceIn', 'priceOut'].map((name) => String(data.get(name) ?? ''))
  return input && output ? { input: Number(input), output: Number(output) } : undefined
}
