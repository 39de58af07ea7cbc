import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider'
import { WORKFLOW_DESERIALIZE, WORKFLOW_SERIALIZE } from '@ai-sdk/provider-utils'
import { call, type Told } from '../../../crash/programs/call.ts'

/** Asks the world for its turns. A workflow passes it to its steps. */
class WorldModel implements LanguageModelV4 {
  static [WORKFLOW_SERIALIZE]({ told }: WorldModel): Told {
    return told
  }
  static [WORKFLOW_DESERIALIZE](told: Told): WorldModel {
    return new WorldModel(told)
  }
  readonly specificationVersion = 'v4'
  readonly provider = 'world'
  readonly modelId = 'world'
  readonly supportedUrls = {}
  readonly told: Told
  constructor(told: Told) {
    this.told = told
  }
  doGenerate(): Promise<never> {
    return Promise.reject(new Error('Only streams are used.'))
  }
  async doStream({ prompt }: LanguageModelV4CallOptions): Promise<LanguageModelV4StreamResult> {
    const results = prompt.filter(({ role }) => role === 'tool').length
    const turn = await call<{ amount?: number; text?: string }>(this.told, '/model', { results })
    const isText = turn.text !== undefined
    const content: LanguageModelV4StreamPart[] = isText
      ? [
          { type: 'text-start', id: '0' },
          { type: 'text-delta', id: '0', delta: turn.text ?? '' },
          { type: 'text-end', id: '0' },
        ]
      : [{ type: 'tool-call', toolCallId: crypto.randomUUID(), toolName: 'pay', input: JSON.stringify(turn) }]
    const unified = isText ? 'stop' : 'tool-calls'
    const finish = { type: 'finish', usage, finishReason: { unified, raw: unified } } as const
    return {
      stream: ReadableStream.from([
        { type: 'stream-start', warnings: [] },
        ...content,
        finish,
      ]) as LanguageModelV4StreamResult['stream'],
    }
  }
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** Made by a function, since the compiler of workflows does not find a constructor in a step. */
export const worldModel = (told: Told): LanguageModelV4 => new WorldModel(told)
