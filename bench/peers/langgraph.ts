import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { AIMessageChunk, type BaseMessage } from '@langchain/core/messages'
import { ChatGenerationChunk } from '@langchain/core/outputs'
import { tool } from '@langchain/core/tools'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import type { Kit, Subject } from '../kit.ts'
import { instructions, toolDescription, toolName } from '../work.ts'
import { nextTurn } from './nextTurn.ts'

/** `createReactAgent` of LangGraph, streamed as messages and updates. */
export const subject: Subject = {
  name: 'langgraph',
  maxIterations: 200,
  create(kit) {
    const options = { name: toolName, description: toolDescription, schema: kit.schema }
    const step = tool(async (place) => JSON.stringify(await kit.execute(place)), options)
    const worker = createReactAgent({ llm: new InstantChatModel(kit), tools: [step], prompt: instructions })
    return async ({ prompt, textAnswer }) => {
      const input = { messages: [{ role: 'user', content: prompt }] }
      const stream = await worker.stream(input, { streamMode: ['messages', 'updates'], recursionLimit: 1_000_000 })
      const messages: unknown[] = []
      let text = ''
      for await (const [mode, data] of stream) {
        if (mode === 'updates') {
          messages.push(data)
          continue
        }
        const [message] = data as [BaseMessage]
        if (message.getType() !== 'ai' || typeof message.content !== 'string' || message.content === '') continue
        text += message.content
        textAnswer?.(message.content)
      }
      return { text, result: messages }
    }
  },
}

/** Yields each chunk and then tells the run manager, as the chat models of LangChain's own providers do. */
class InstantChatModel extends BaseChatModel {
  readonly #kit: Kit
  constructor(kit: Kit) {
    super({})
    this.#kit = kit
  }

  _llmType(): string {
    return 'instant'
  }

  override bindTools(tools: object[]) {
    return this.withConfig({ tools } as object)
  }

  _generate(): Promise<never> {
    return Promise.reject(new Error('Only streams are measured.'))
  }

  override async *_streamResponseChunks(messages: BaseMessage[], _: this['ParsedCallOptions'], manager?: Manager) {
    const { content } = messages.at(-1) as { content: string | { text: string }[] }
    const place = JSON.parse(typeof content === 'string' ? content : (content.at(-1)?.text ?? ''))
    const turn = await nextTurn(this.#kit, place)
    const emit = async function* (text: string, extra: object = {}) {
      const chunk = new ChatGenerationChunk({
        text,
        message: new AIMessageChunk({ content: text, id: turn.id, ...extra }),
      })
      yield chunk
      await manager?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk })
    }
    for (const [index, { id, input }] of turn.calls.entries()) {
      yield* emit('', { tool_call_chunks: [{ type: 'tool_call_chunk', index, id, name: toolName, args: '' }] })
      yield* emit('', { tool_call_chunks: [{ type: 'tool_call_chunk', index, args: input }] })
    }
    for await (const delta of turn.text) yield* emit(delta)
    const finish_reason = turn.calls.length > 0 ? 'tool_calls' : 'stop'
    yield* emit('', { usage_metadata: usage, response_metadata: { finish_reason } })
  }
}

interface Manager {
  handleLLMNewToken(...args: unknown[]): Promise<void>
}
const usage = { input_tokens: 10, output_tokens: 10, total_tokens: 20 }
