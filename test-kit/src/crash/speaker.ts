import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { plainStream, turnParts } from '../providerParts.ts'
import type { Life } from './world.ts'

interface Line {
  readonly text?: string
  readonly calls?: readonly (readonly [name: string, input?: object])[]
  /** The error with which it fails each time. */
  readonly fails?: Error
}
/** One line for each position in the conversation; a string is an answer. `take` counts the requests for it, from 1. */
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
      const marked = text.includes('#') ? text.replace('#', `[${key}]`) : `[${key}] ${text}`
      const made = calls.map(([name, input = {}], index) => ({ id: `${key} ${index}`, name, input }))
      return { stream: plainStream(turnParts({ text: marked, calls: made })) }
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
