import { chat, maxIterations, toolDefinition } from '@tanstack/ai'
import { BaseTextAdapter } from '@tanstack/ai/adapters'
import type { Kit, Subject } from '../kit.ts'
import { instructions, type Place, toolDescription, toolName } from '../work.ts'
import { nextTurn } from './nextTurn.ts'

/** `chat()` of TanStack AI, read through its stream of AG-UI events. */
export const subject: Subject = {
  name: 'tanstack',
  maxIterations: 1_000,
  create(kit) {
    const adapter = new InstantAdapter(kit)
    const step = toolDefinition({ name: toolName, description: toolDescription, inputSchema: kit.schema })
    const tools = [step.server((place) => kit.execute(place))]
    return async ({ prompt, textAnswer }) => {
      const messages = [{ role: 'user' as const, content: prompt }]
      const options = { adapter, tools, systemPrompts: [instructions], messages }
      const stream = chat({ ...options, agentLoopStrategy: maxIterations(1_000_000) })
      let text = ''
      for await (const event of stream) {
        if (event.type === 'RUN_ERROR') throw new Error(event.message)
        if (event.type !== 'TEXT_MESSAGE_CONTENT') continue
        text += event.delta
        textAnswer?.(event.delta)
      }
      return { text, result: stream }
    }
  },
}

class InstantAdapter extends BaseTextAdapter<'instant', object, readonly ['text'], object> {
  readonly name = 'instant'
  readonly #kit: Kit
  constructor(kit: Kit) {
    super({}, 'instant')
    this.#kit = kit
  }

  structuredOutput(): never {
    throw new Error('Only streams are measured.')
  }

  async *chatStream({ messages, runId = 'run', threadId = 'thread' }: StreamOptions): AsyncGenerator<object> {
    const { content } = messages[messages.length - 1] as { content: string | { content: string }[] }
    const place: Place = JSON.parse(typeof content === 'string' ? content : (content.at(-1)?.content ?? ''))
    const turn = await nextTurn(this.#kit, place)
    const common = { model: 'instant', timestamp: 0 }
    yield { type: 'RUN_STARTED', runId, threadId, ...common }
    for (const [index, { id: toolCallId, input }] of turn.calls.entries()) {
      yield { type: 'TOOL_CALL_START', toolCallId, toolCallName: toolName, toolName, index, ...common }
      yield { type: 'TOOL_CALL_ARGS', toolCallId, delta: input, ...common }
      yield { type: 'TOOL_CALL_END', toolCallId, toolCallName: toolName, toolName, input: JSON.parse(input), ...common }
    }
    if (turn.calls.length === 0) {
      yield { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant', ...common }
      for await (const delta of turn.text) yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta, ...common }
      yield { type: 'TEXT_MESSAGE_END', messageId: 'm', ...common }
    }
    const finishReason = turn.calls.length > 0 ? 'tool_calls' : 'stop'
    yield { type: 'RUN_FINISHED', runId, threadId, finishReason, usage, ...common }
  }
}

interface StreamOptions {
  readonly messages: readonly object[]
  readonly runId?: string
  readonly threadId?: string
}
const usage = { promptTokens: 10, completionTokens: 10, totalTokens: 20 }
