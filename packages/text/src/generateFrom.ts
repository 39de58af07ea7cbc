import type {
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider'
import type { Part } from '@interleave/core/internal'
import { defaultCaps, emptyTurn, TurnReader } from '@interleave/core/internal'
import { unknownUsage } from './callUsage.ts'

/** A stream, read to its end, as a model returns it that does not stream. An error in it is thrown. */
export async function generateFrom(result: LanguageModelV4StreamResult): Promise<LanguageModelV4GenerateResult> {
  const { stream, request, response } = result
  const turn = emptyTurn()
  const turnReader = new TurnReader(turn, () => {}, defaultCaps)
  const reader = stream.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) turnReader.read(next.value)
  const { parts, finish = interrupted, usage = unknownUsage, warnings = [], providerMetadata, responseId } = turn
  return {
    content: parts.map(toContent),
    finishReason: finish,
    usage,
    warnings: [...warnings],
    ...(providerMetadata && { providerMetadata }),
    ...(request && { request }),
    response: { ...response, ...(responseId !== undefined && { id: responseId }) },
  }
}

/** In the model interface, the input of a call is text. */
function toContent(part: Part): LanguageModelV4Content {
  if (part.type !== 'tool-call') return part
  const { invalid, input, ...call } = part
  return { ...call, input: invalid && typeof input === 'string' ? input : JSON.stringify(input) }
}

const interrupted: LanguageModelV4FinishReason = { unified: 'interrupted', raw: undefined }
