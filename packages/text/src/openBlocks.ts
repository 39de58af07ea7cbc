import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

type StreamPart = LanguageModelV4StreamPart

/** Blocks of text and of thought in a stream. */
export interface Blocks {
  grow(type: 'text' | 'reasoning', delta: string): StreamPart[]
  close(): StreamPart[]
}

/** At most one block is open at a time. */
export function openBlocks(): Blocks {
  let open: 'text' | 'reasoning' | undefined
  let count = 0
  let id = ''
  const close = (): StreamPart[] => {
    const closed: StreamPart[] = open ? [{ type: `${open}-end`, id }] : []
    open = undefined
    return closed
  }
  const start = (type: 'text' | 'reasoning'): StreamPart[] => {
    const closed = close()
    open = type
    id = `step-${++count}`
    return [...closed, type === 'text' ? { type: 'text-start', id } : { ...thoughtStart, id }]
  }
  return {
    close,
    grow(type, delta) {
      const part: StreamPart =
        type === 'text' ? { type: 'text-delta', id, delta } : { type: 'reasoning-delta', id, delta }
      return open === type ? [part] : [...start(type), { ...part, id }]
    },
  }
}

/** Tells thoughts that were read from text from what a provider says of its model's reasoning. */
const thoughtStart = { type: 'reasoning-start', providerMetadata: { interleave: { thought: true } } } as const
