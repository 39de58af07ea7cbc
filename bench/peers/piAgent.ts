import { type AgentEvent, agentLoop } from '@earendil-works/pi-agent-core'
import { type AssistantMessage, createAssistantMessageEventStream } from '@earendil-works/pi-ai'
import * as z from 'zod'
import type { Kit, Subject } from '../kit.ts'
import { instructions, type Place, toolDescription, toolName } from '../work.ts'
import { nextTurn } from './nextTurn.ts'

/** `agentLoop` of pi-agent-core, the leanest of the peers, read through its stream of events. */
export const subject: Subject = {
  name: 'pi-agent-core',
  maxIterations: 1_000,
  create(kit) {
    const tools = [
      {
        name: toolName,
        label: toolName,
        description: toolDescription,
        parameters: z.toJSONSchema(kit.schema),
        async execute(_: string, place: Place) {
          return { content: [{ type: 'text', text: JSON.stringify(await kit.execute(place)) }], details: undefined }
        },
      },
    ]
    const config = { model, convertToLlm: <T>(messages: T): T => messages }
    const streamFn = streamOf(kit)
    return async ({ prompt, textAnswer }) => {
      const context = { systemPrompt: instructions, messages: [], tools }
      const message = { role: 'user', content: prompt, timestamp: 0 }
      const stream = agentLoop([message] as never, context as never, config as never, undefined, streamFn as never)
      let text = ''
      for await (const event of stream as AsyncIterable<AgentEvent>) {
        if (event.type !== 'message_update' || event.assistantMessageEvent.type !== 'text_delta') continue
        text += event.assistantMessageEvent.delta
        textAnswer?.(event.assistantMessageEvent.delta)
      }
      return { text, result: await stream.result() }
    }
  },
}

const model = { id: 'instant', name: 'instant', api: 'instant', provider: 'instant', input: ['text'], reasoning: false }

/** Grows one partial message, as its providers do. */
function streamOf(kit: Kit) {
  return (_: unknown, { messages }: { messages: readonly { content: string | { text: string }[] }[] }) => {
    const stream = createAssistantMessageEventStream()
    const content = messages.at(-1)?.content ?? ''
    const place: Place = JSON.parse(typeof content === 'string' ? content : (content.at(-1)?.text ?? ''))
    const write = async (): Promise<void> => {
      const turn = await nextTurn(kit, place)
      const partial = { ...message, content: [] as unknown[], stopReason: 'stop' }
      const push = (event: object): void => stream.push({ ...event, partial } as never)
      push({ type: 'start' })
      for (const [contentIndex, { id, input }] of turn.calls.entries()) {
        const toolCall = { type: 'toolCall', id, name: toolName, arguments: JSON.parse(input) }
        partial.content.push(toolCall)
        push({ type: 'toolcall_start', contentIndex })
        push({ type: 'toolcall_delta', contentIndex, delta: input })
        push({ type: 'toolcall_end', contentIndex, toolCall })
      }
      if (turn.calls.length === 0) {
        const part = { type: 'text', text: '' }
        partial.content.push(part)
        push({ type: 'text_start', contentIndex: 0 })
        for await (const delta of turn.text) {
          part.text += delta
          push({ type: 'text_delta', contentIndex: 0, delta })
        }
        push({ type: 'text_end', contentIndex: 0, content: part.text })
      } else partial.stopReason = 'toolUse'
      stream.push({ type: 'done', reason: partial.stopReason, message: partial } as never)
      stream.end(partial as never)
    }
    void write()
    return stream
  }
}

const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }
const usage = { input: 10, output: 10, cacheRead: 0, cacheWrite: 0, totalTokens: 20, cost }
const message: Omit<AssistantMessage, 'content' | 'stopReason'> = {
  role: 'assistant',
  api: 'instant',
  provider: 'instant',
  model: 'instant',
  usage,
  timestamp: 0,
}
