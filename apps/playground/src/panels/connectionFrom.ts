import type { Price } from '@interleave/core'
import { type CloudName, type Connection, cloudOfKey, clouds, secret, type WayType } from '../models/index.ts'

/** The connection that a filled-in form describes. */
export function connectionFrom(type: WayType, data: FormData): Connection {
  const field = (name: string): string => String(data.get(name) ?? '').trim()
  const key = field('key')
  switch (type) {
    case 'demo':
    case 'builtIn':
      return { type }
    case 'server':
      return { type, url: field('url'), modelId: field('modelId'), ...(key && { key: secret(key) }) }
    case 'key': {
      const route = data.has('direct') ? 'direct' : 'proxy'
      return {
        type: cloudNamed(field('cloud')) ?? cloudOfKey(key) ?? 'openai',
        modelId: field('modelId'),
        key: secret(key),
        route,
      }
    }
  }
}

const cloudNamed = (name: string): CloudName | undefined => clouds.find(({ type }) => type === name)?.type

/** Returns the price of a million tokens, if both fields have one. */
export function priceFrom(data: FormData): Price | undefined {
  const [input, output] = ['priceIn', 'priceOut'].map((name) => String(data.get(name) ?? ''))
  return input && output ? { input: Number(input), output: Number(output) } : undefined
}
