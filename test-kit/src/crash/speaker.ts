import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Life } from './world.ts'

interface Line {
  readonly text?: string
  readonly calls?: readonly (readonly [name: string, input?: object])[]
  /** The error with which it fails each time. */
  readonly fails?: Error
}
/**
 * One line for each position in the conversation; a string is an answer. `take` counts the requests for this position,
 * from 1.
 */
export type Lines = readonly (string | Line | ((take: number) => string | Line))[]

/**
 * Creates a model that finds its position in the prompt, and not by counting, so that a repeated request gets the same
 * response. Each of its lines begins with its name and position, or has them in place of a `#`.
 */
export function speaker(life: Life, name: string, lines: Lines): LanguageModelV4 {
  const mark = new RegExp(`\\[${name} (\\d+)\\]`, 'g')
  const placeIn = (prompt: LanguageModelV4CallOptions['prompt']): number => {
    let place = -1
    for (const [, found] of JSON.stringify(prompt).matchAll(mark)) place = Math.max(place, Number(found))
    return place + 1
  }
  return {
    specificationVersion: 'v4',
    provider: 'crash',
    modelId: name,
    supportedUrls: {},
    async doStream({ prompt }) {
      const place = placeIn(prompt)
      const key = `${name} ${place}`
      await life.does({ kind: 'model', name, key })
      const given = lines[place] ?? 'Done.'
      const line = typeof given === 'function' ? given(life.times({ kind: 'model', key })) : given
      const { text = 'Hm.', calls = [], fails } = varied(typeof line === 'string' ? { text: line } : line, life, key)
      if (fails) throw fails
      return {
        stream: toStream(
          toParts({ text: text.includes('#') ? text.replace('#', `[${key}]`) : `[${key}] ${text}`, calls }, key),
        ),
      }
    },
    doGenerate: () => Promise.reject(new Error('It only streams.')),
  }
}

/** A model that is asked the same again answers differently, if the world says so. */
function varied(line: Line, life: Life, key: string): Line {
  const take = life.resamples ? life.times({ kind: 'model', key }) : 1
  if (take === 1) return line
  const { text = 'Hm.', calls = [] } = line
  const vary = (input: object = {}): object =>
    'n' in input || Object.keys(input).length === 0 ? { n: take * 100 } : input
  return { ...line, text: `${text} ${take}`, calls: calls.map(([name, input]) => [name, vary(input)] as const) }
}

function toParts({ text, calls }: Required<Omit<Line, 'fails'>>, key: string): LanguageModelV4StreamPart[] {
  const unified = calls.length > 0 ? 'tool-calls' : 'stop'
  return [
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: text },
    { type: 'text-end', id: 't' },
    ...calls.map(([toolName, input = {}], index) => ({
      type: 'tool-call' as const,
      toolCallId: `${key} ${index}`,
      toolName,
      input: JSON.stringify(input),
    })),
    {
      type: 'finish',
      finishReason: { unified, raw: unified },
      usage: {
        inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 5, text: 5, reasoning: 0 },
      },
    },
  ]
}

/** Creates the part of a stream that is used: creating a real one takes longer than the rest of a run. */
function toStream(parts: readonly LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> {
  let next = 0
  const reader = {
    read: async () => {
      const value = parts[next++]
      return { value, done: value === undefined }
    },
    cancel: async () => {},
    releaseLock: () => {},
  }
  return { getReader: () => reader, cancel: async () => {} } as unknown as ReadableStream<LanguageModelV4StreamPart>
}
