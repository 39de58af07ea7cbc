import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Counts } from './counts.ts'
import { type Pace, sleep } from './pace.ts'
import { delta, type Place, toolName } from './work.ts'

type Part = LanguageModelV4StreamPart

/**
 * A model that answers at once. It has no memory: what it does next stands in the last message alone, so one model serves
 * any number of runs, and each goes on only if its tool really ran and the result really came back.
 */
export function instantModel(pace: Pace, counts: Counts): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'instant',
    modelId: 'instant',
    supportedUrls: {},
    async doStream({ prompt }) {
      counts.turns++
      const parts = turnOf(placeIn(prompt))
      if (pace.modelMs > 0) await sleep(pace.modelMs)
      return { stream: toStream(parts, pace, counts) }
    },
    doGenerate: () => Promise.reject(new Error('Only streams are measured.')),
  }
}

function placeIn(prompt: LanguageModelV4Prompt): Place {
  const last = prompt.at(-1)
  if (last?.role === 'user') {
    const part = last.content.at(-1)
    if (part?.type === 'text') return JSON.parse(part.text)
  }
  if (last?.role === 'tool') {
    const part = last.content.at(-1)
    if (part?.type === 'tool-result' && part.output.type === 'json') return part.output.value as Place
  }
  throw new Error(`The last message tells no place: ${JSON.stringify(last)}`)
}

function* turnOf(place: Place): Generator<Part, undefined> {
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'response-metadata', id: `response-${place.turn}`, modelId: 'instant', timestamp: new Date(0) }
  if (place.turn < place.iterations) yield* calls(place)
  else yield* text(place.deltas)
}

function* calls({ turn, ...work }: Place): Generator<Part> {
  const input = JSON.stringify({ turn: turn + 1, ...work } satisfies Place)
  for (let call = 0; call < work.calls; call++) {
    const id = `call-${turn}-${call}`
    yield { type: 'tool-input-start', id, toolName }
    yield { type: 'tool-input-delta', id, delta: input }
    yield { type: 'tool-input-end', id }
    yield { type: 'tool-call', toolCallId: id, toolName, input }
  }
  yield { type: 'finish', finishReason: { unified: 'tool-calls', raw: 'tool_calls' }, usage }
}

function* text(deltas: number): Generator<Part> {
  yield { type: 'text-start', id: 'text' }
  for (let i = 0; i < deltas; i++) yield { type: 'text-delta', id: 'text', delta }
  yield { type: 'text-end', id: 'text' }
  yield { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage }
}

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 10, text: 10, reasoning: 0 },
}

/** Gives a part whenever it is pulled, as the bodies of responses do. */
function toStream(parts: Iterator<Part, undefined>, pace: Pace, counts: Counts): ReadableStream<Part> {
  let sentText = false
  return new ReadableStream({
    async pull(stream) {
      const { done, value } = parts.next()
      if (done) return stream.close()
      if (value.type === 'text-delta' && !sentText) {
        sentText = true
        if (pace.firstDeltaMs > 0) await sleep(pace.firstDeltaMs)
        counts.firstDeltaAt = performance.now()
      }
      stream.enqueue(value)
    },
  })
}
